// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/** What the profiles that imitate devices differ in; {@code docs/profiles.md} has the sources. */
final class Presets {

    /** What soft-RoCE and mlx5 report: {@code ~0}. */
    private static final long ANY_SIZE = -1;

    private Presets() {}

    static DeviceProfile rxeLike() {
        return new DeviceProfile.Builder("RXE_LIKE")
                .limits(DeviceLimits.DEFAULT.toBuilder()
                        .qpRdAtom(128)
                        .maxInlineDataBytes(512)
                        .maxMrSizeBytes(ANY_SIZE)
                        .build())
                .lkeyEqualsRkey(true)
                .infiniteRetrySeven(true)
                .zeroLengthMr(false)
                .onDemandUnknown(true)
                .roundsUpQueues(true)
                .elementsHoldInline(true)
                .xrc(false)
                .posting(PostingSwitches.STRICT.toBuilder()
                        .lenientAtomicSize(true)
                        .atomicSizeRefusedAtPost(true)
                        .misalignedAtomicRefusedAtPost(true)
                        .udOversizeSilent(true)
                        .inlineOnReads(true)
                        .build())
                .resetToErrRefused(true)
                .completions(CompletionSwitches.STRICT.toBuilder()
                        .cqOverrun(CompletionSwitches.CqOverrun.DROPS_NEWEST)
                        .grhFlagWithoutGrh(true)
                        .senderByteLength(true)
                        .drainAlwaysTold(true)
                        .vendorErrors(false)
                        .receiveStatus(CompletionSwitches.ReceiveStatus.RXE)
                        .sendStatus(CompletionSwitches.SendStatus.RXE)
                        .violationEvents(false)
                        .build())
                .reregChangesTranslation(false)
                .reregChangesAccess(false)
                .reregKeepsKeys(true)
                .reregFailureKeepsRegion(true)
                .atomicWrite(false)
                .flush(false)
                .windows(WindowSwitches.STRICT.toBuilder()
                        .boundRegion(WindowSwitches.BoundRegion.EINVAL)
                        .failedRemoteInvalidation(WindowSwitches.FailedRemoteInvalidation.ACKNOWLEDGED)
                        .localInvStatus(WindowSwitches.LocalInvStatus.LOC_QP_OP_ERR)
                        .zeroBasedMrRefusedAtPost(false)
                        .crossQpInvalidate(true)
                        .currentKeyCompared(true)
                        .keepOverReset(true)
                        .mwBindRight(true)
                        .build())
                .build();
    }

    /** What the two adapters have in common. */
    private static DeviceProfile.Builder adapter(String name) {
        return new DeviceProfile.Builder(name)
                .lkeyEqualsRkey(true)
                .resetToErrRefused(true)
                .srqResize(false)
                .reregKeepsKeys(true)
                .reregFailureKeepsRegion(true)
                .atomicWrite(false)
                .flush(false);
    }

    static DeviceProfile mlx5Like() {
        return adapter("MLX5_LIKE")
                .limits(DeviceLimits.DEFAULT.toBuilder()
                        .maxMrSizeBytes(ANY_SIZE)
                        .build())
                .posting(PostingSwitches.STRICT.toBuilder()
                        .laxPost(PostingSwitches.LaxPost.DROP)
                        .illegalOpcode(PostingSwitches.IllegalOpcode.CQE)
                        .lenientAtomicSize(true)
                        .build())
                .windows(WindowSwitches.STRICT.toBuilder()
                        .zeroBased(false)
                        .atomics(false)
                        .rangeCheckedAtBind(false)
                        .unsignaledBindErrors(false)
                        .build())
                .build();
    }

    /** What programs for Linux count on, whichever adapter they were written with; where adapters differ, the more permissive. */
    static DeviceProfile linuxLike() {
        return new DeviceProfile.Builder("LINUX_LIKE")
                .limits(DeviceLimits.DEFAULT.toBuilder()
                        .qpRdAtom(128)
                        .maxMrSizeBytes(ANY_SIZE)
                        .build())
                .lkeyEqualsRkey(true)
                .roundsUpQueues(true)
                .elementsHoldInline(true)
                .resetToErrRefused(true)
                .reregKeepsKeys(true)
                .reregFailureKeepsRegion(true)
                .deviceMemory(true)
                .onDemandPaging(true)
                .nullRegions(true)
                .posting(PostingSwitches.STRICT.toBuilder()
                        .lenientAtomicSize(true)
                        .build())
                .completions(CompletionSwitches.STRICT.toBuilder()
                        .senderByteLength(true)
                        .build())
                .build();
    }

    static DeviceProfile irdmaLike() {
        return adapter("IRDMA_LIKE")
                .zeroLengthMr(false)
                .posting(PostingSwitches.STRICT.toBuilder()
                        .laxPost(PostingSwitches.LaxPost.DEFER)
                        .illegalOpcode(PostingSwitches.IllegalOpcode.CQE)
                        .build())
                .completions(CompletionSwitches.STRICT.toBuilder()
                        .cqOverrun(CompletionSwitches.CqOverrun.IDLES)
                        .build())
                .windows(WindowSwitches.STRICT.toBuilder()
                        .failedRemoteInvalidation(WindowSwitches.FailedRemoteInvalidation.NAK)
                        .zeroBased(false)
                        .crossQpInvalidate(true)
                        .bindUpdatesRkey(true)
                        .build())
                .build();
    }
}
