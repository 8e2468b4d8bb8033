// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Conduct;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.BoundRegion;
import dev.verbatim.profile.WindowSwitches.FailedRemoteInvalidation;
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.WcStatus;

/** Devices that differ, as the device has it and as the model has it. */
enum Conducts {
    STRICT_2B(WindowSwitches.STRICT, Conduct.STRICT),
    STRICT_2A(WindowSwitches.STRICT.toBuilder().type2(Type2.A).build(), Conduct.STRICT_2A),
    ORPHANS(
            WindowSwitches.STRICT.toBuilder()
                    .boundRegion(BoundRegion.ORPHAN)
                    .failedRemoteInvalidation(FailedRemoteInvalidation.NAK)
                    .build(),
            new Conduct(true, null, WcStatus.REM_ACCESS_ERR, false, true, false)),
    LENIENT(
            WindowSwitches.STRICT.toBuilder()
                    .boundRegion(BoundRegion.EINVAL)
                    .failedRemoteInvalidation(FailedRemoteInvalidation.ACKNOWLEDGED)
                    .freeWindowInvalidates(true)
                    .sameKeyRebind(false)
                    .keepOverReset(true)
                    .build(),
            new Conduct(true, Errno.EINVAL, WcStatus.SUCCESS, true, false, true));

    final WindowSwitches ofDevice;
    final Conduct ofModel;

    Conducts(WindowSwitches ofDevice, Conduct ofModel) {
        this.ofDevice = ofDevice;
        this.ofModel = ofModel;
    }
}
