// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.CompletionSwitches.SendStatus;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.WcStatus;

/** How a device calls what is wrong with a send whose own data cannot be gathered (WC-29). */
public final class SendStatuses {

    /** The rule of a range that leaves a region whose key is good. */
    private static final String RANGE = "MR-22";

    private SendStatuses() {}

    /** The status of the completion. */
    public static WcStatus notGathered(DeviceProfile profile, Denial denial) {
        boolean spec = profile.completions().sendStatus() == SendStatus.SPEC;
        return spec || denial.refusal().rule().equals(RANGE) ? WcStatus.LOC_PROT_ERR : WcStatus.LOC_QP_OP_ERR;
    }
}
