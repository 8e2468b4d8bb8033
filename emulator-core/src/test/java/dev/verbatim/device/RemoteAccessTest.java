// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a peer may do by a key, and what it is told otherwise. */
class RemoteAccessTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    /** An operation of the peer on eight bytes. */
    private enum Operation {
        WRITE(AccessFlags.REMOTE_WRITE),
        READ(AccessFlags.REMOTE_READ),
        FETCH_ADD(AccessFlags.REMOTE_ATOMIC),
        COMPARE_SWAP(AccessFlags.REMOTE_ATOMIC);

        final int right;

        Operation(int right) {
            this.right = right;
        }

        SendWorkRequest request(long address, int rkey, Sge local) {
            return switch (this) {
                case WRITE -> SendWorkRequest.write(1, address, rkey, local);
                case READ -> SendWorkRequest.read(1, address, rkey, local);
                case FETCH_ADD -> SendWorkRequest.fetchAndAdd(1, address, rkey, 1, local);
                case COMPARE_SWAP -> SendWorkRequest.compareAndSwap(1, address, rkey, 0, 1, local);
            };
        }
    }

    private WorkCompletion attempt(RcPair between, Operation operation, long address, int rkey) {
        between.left.qp.postSend(operation.request(address, rkey, between.left.sge(0, 8)));
        return between.left.sent();
    }

    /** The peer is refused, both queue pairs end, and the owner of the memory learns why; the memory is as it was. */
    private static void assertDenied(RcPair between, WorkCompletion completion, String rule, String... words) {
        assertThat(completion).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertState(between.left.qp, QpState.ERR);
        assertState(between.right.qp, QpState.ERR);
        AsyncEvent event = between.right.device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.refusal()).isNotNull();
        assertThat(event.refusal().rule()).as("%s", event).isEqualTo(rule);
        for (String word : words) {
            assertThat(event.refusal().sentence()).contains(word);
        }
        assertEvent(event, EventType.QP_ACCESS_ERR, between.right.qp);
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-12", "KEY-P7", "WC-23"})
    void eachRemoteRightAdmitsItsOperationAndNoOther(Operation operation) {
        for (int remote = 0; remote < 8; remote++) {
            int access = remote << 1 | AccessFlags.LOCAL_WRITE;
            try (RcPair between = RcPair.inProcess()) {
                MemoryRegion target = between.right.pd.register(Memory.allocate(64), access);
                target.memory().buffer().putLong(0, 5);
                WorkCompletion completion = attempt(between, operation, target.address(), target.rkey());
                if ((access & operation.right) != 0) {
                    assertThat(completion).isSuccess();
                    continue;
                }
                if (remote == 0) {
                    assertDenied(between, completion, "KEY-P7", "key 0x00000000", "index 0");
                } else {
                    assertDenied(
                            between,
                            completion,
                            "MR-12",
                            "needs " + AccessFlags.describe(operation.right),
                            "has only " + AccessFlags.describe(access),
                            "register the memory with " + AccessFlags.describe(operation.right));
                }
                assertThat(target.memory().buffer().getLong(0)).isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ"})
    @Rule("MR-12")
    void readableRegionNeedsNoLocalWriteToBeRead(Operation operation) {
        MemoryRegion target = pair.right.pd.register(Memory.allocate(64), AccessFlags.REMOTE_READ);
        assertThat(attempt(pair, operation, target.address(), target.rkey())).isSuccess();
        pair.left.qp.postSend(SendWorkRequest.write(2, target.address(), target.rkey(), pair.left.sge(0, 8)));
        assertDenied(pair, pair.left.sent(), "MR-12", "REMOTE_READ");
    }

    /** Keys near a valid one, each wrong in its own way. */
    private static List<Function<MemoryRegion, Integer>> wrongKeys() {
        return List.of(
                region -> region.rkey() ^ 1,
                region -> region.rkey() + 1,
                region -> region.rkey() - 1,
                region -> region.rkey() - 2,
                region -> region.rkey() + (1 << 8),
                region -> region.rkey() ^ 1 << 31,
                region -> region.rkey() ^ 1 << 27,
                region -> 1 << 27,
                region -> 0xffff_ffff);
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"KEY-04", "MR-14", "WC-23"})
    void keyThatDiffersInAnyBitIsRefused(Operation operation) {
        for (Function<MemoryRegion, Integer> wrong : wrongKeys()) {
            // The only region has index 1, local variant 1 and remote variant 2.
            try (RcPair between = RcPair.inProcess()) {
                int key = wrong.apply(between.right.region);
                WorkCompletion completion = attempt(between, operation, between.right.address(0), key);
                String rule = key == between.right.region.lkey() ? "MR-14" : "KEY-04";
                assertDenied(between, completion, rule, String.format(Locale.ROOT, "key 0x%08x", key));
                assertThat(between.right.bytes().getLong(0)).isZero();
            }
        }
    }

    @Test
    @Rule("KEY-04")
    void wrongVariantIsToldWhatTheIndexIsUsedFor() {
        int key = pair.right.rkey() + 1;
        WorkCompletion completion = attempt(pair, Operation.WRITE, pair.right.address(0), key);
        assertDenied(
                pair,
                completion,
                "KEY-04",
                String.format(
                        Locale.ROOT,
                        "index 0x000001 is in use with local key 0x%08x and remote key 0x%08x",
                        pair.right.region.lkey(),
                        pair.right.rkey()));
    }

    @Test
    @Rule("KEY-P7")
    void noKeyWithIndexZeroNamesAnything() {
        for (int key : new int[] {0, 1, 0x7f, 0xff}) {
            try (RcPair between = RcPair.inProcess()) {
                WorkCompletion completion = attempt(between, Operation.READ, between.right.address(0), key);
                assertDenied(
                        between, completion, "KEY-P7", String.format(Locale.ROOT, "0x%08x", key), "no key has index 0");
            }
        }
    }

    @Test
    @Rule("KEY-07")
    void keyOfOneDeviceNamesNothingOnAnother() {
        // The left device has one region more, so its newest key has a number that the right one has never given out.
        MemoryRegion mine = pair.left.pd.register(Memory.allocate(64), Side.ALL_RIGHTS);
        assertThat(pair.left.rkey()).as("the same number on both devices").isEqualTo(pair.right.rkey());
        pair.left.bytes().putLong(0, 42);
        assertThat(attempt(pair, Operation.WRITE, pair.right.address(0), pair.left.rkey()))
                .isSuccess();
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(42);
        assertDenied(pair, attempt(pair, Operation.WRITE, mine.address(), mine.rkey()), "KEY-04");
        assertThat(mine.memory().buffer().getLong(0)).isZero();
    }

    @Test
    @Rule({"MR-13", "WC-23"})
    void localKeyOfRegionWithoutRemoteRightsIsToldWhatIsMissing() {
        MemoryRegion region = pair.right.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE);
        assertDenied(
                pair,
                attempt(pair, Operation.READ, region.address(), region.lkey()),
                "MR-13",
                "registered with LOCAL_WRITE",
                "has no remote key",
                "register it with REMOTE_READ");
    }

    @Test
    @Rule("MR-14")
    void localKeyIsNoRemoteKey() {
        assertDenied(
                pair,
                attempt(pair, Operation.READ, pair.right.address(0), pair.right.region.lkey()),
                "MR-14",
                "is the local key of a region",
                String.format(Locale.ROOT, "its remote key is 0x%08x", pair.right.rkey()));
    }

    @Test
    @Rule("MR-14")
    void remoteKeyIsNoLocalKey() {
        Sge wrong = new Sge(pair.left.address(0), 8, pair.left.rkey());
        pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), wrong));
        assertThat(pair.left.sent())
                .hasStatus(WcStatus.LOC_PROT_ERR)
                .isExplainedBy(
                        "MR-14",
                        "is the remote key of a region",
                        String.format(Locale.ROOT, "its local key is 0x%08x", pair.left.region.lkey()));
        assertState(pair.right.qp, QpState.RTS);
    }

    @Test
    @Rule("MR-13")
    void equalKeysServeBothSidesWhereTheProfileMakesThemEqual() {
        DeviceProfile equal =
                DeviceProfile.STRICT_IBTA.toBuilder().lkeyEqualsRkey(true).build();
        try (RcPair between = RcPair.over(Verbatim.inProcess().profile(equal), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            assertThat(attempt(between, Operation.READ, between.right.address(0), between.right.region.lkey()))
                    .isSuccess();
            MemoryRegion secret = between.right.pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE);
            assertDenied(between, attempt(between, Operation.READ, secret.address(), secret.rkey()), "MR-12");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-41", "WC-23"})
    void keyOfAnotherDomainIsRefused(Operation operation) {
        ProtectionDomain other = pair.right.device.allocatePd();
        MemoryRegion region = other.register(pair.right.region.memory(), Side.ALL_RIGHTS);
        assertDenied(
                pair,
                attempt(pair, operation, region.address(), region.rkey()),
                "MR-41",
                "belongs to " + other,
                "the queue pair to " + pair.right.pd);
        assertThat(pair.right.bytes().getLong(0)).isZero();
    }
}
