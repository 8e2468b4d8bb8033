// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Conduct;
import dev.verbatim.conformance.windows.model.Deviation;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.BoundRegion;
import dev.verbatim.profile.WindowSwitches.FailedRemoteInvalidation;
import dev.verbatim.profile.WindowSwitches.LocalInvStatus;
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.WcStatus;
import java.util.Set;

/** Devices that differ, as the device has it and as the model has it; together they use nearly every switch. */
enum Conducts {
    STRICT_2B(WindowSwitches.STRICT, Conduct.STRICT),
    STRICT_2A(WindowSwitches.STRICT.toBuilder().type2(Type2.A).build(), Conduct.STRICT_2A),
    ORPHANS(
            WindowSwitches.STRICT.toBuilder()
                    .boundRegion(BoundRegion.ORPHAN)
                    .failedRemoteInvalidation(FailedRemoteInvalidation.NAK)
                    .build(),
            new Conduct(true, null, WcStatus.REM_ACCESS_ERR, Set.of())),
    LENIENT(
            WindowSwitches.STRICT.toBuilder()
                    .boundRegion(BoundRegion.EINVAL)
                    .failedRemoteInvalidation(FailedRemoteInvalidation.ACKNOWLEDGED)
                    .freeWindowInvalidates(true)
                    .sameKeyRebind(false)
                    .keepOverReset(true)
                    .build(),
            new Conduct(
                    true,
                    Errno.EINVAL,
                    WcStatus.SUCCESS,
                    Set.of(
                            Deviation.FREE_WINDOW_INVALIDATES,
                            Deviation.NO_SAME_KEY_REBIND,
                            Deviation.KEEPS_OVER_RESET))),
    OBLIGING(
            WindowSwitches.STRICT.toBuilder()
                    .localInvStatus(LocalInvStatus.LOC_QP_OP_ERR)
                    .crossQpInvalidate(true)
                    .bindUpdatesRkey(true)
                    .bindZeroBasedMr(true)
                    .build(),
            Conduct.strictBut(
                    Deviation.INVALIDATION_ENDS_LOC_QP_OP_ERR,
                    Deviation.ANY_QP_INVALIDATES,
                    Deviation.BIND_UPDATES_RKEY,
                    Deviation.ZERO_BASED_REGIONS)),
    FRUGAL(
            WindowSwitches.STRICT.toBuilder()
                    .unsignaledBindErrors(false)
                    .rangeCheckedAtBind(false)
                    .currentKeyCompared(true)
                    .atomics(false)
                    .mwBindRight(true)
                    .zeroBased(false)
                    .build(),
            Conduct.strictBut(
                    Deviation.UNSIGNALED_BIND_FAILS_UNTOLD,
                    Deviation.RANGE_IS_CHECKED_LATE,
                    Deviation.CURRENT_KEY_IS_COMPARED,
                    Deviation.NO_ATOMICS,
                    Deviation.MW_BIND_IS_A_RIGHT,
                    Deviation.NO_ZERO_BASED));

    final WindowSwitches ofDevice;
    final Conduct ofModel;

    Conducts(WindowSwitches ofDevice, Conduct ofModel) {
        this.ofDevice = ofDevice;
        this.ofModel = ofModel;
    }
}
