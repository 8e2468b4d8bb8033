// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.Denial;
import dev.verbatim.profile.CompletionSwitches.SendStatus;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;

/** What a device says is wrong with a send whose own data cannot be gathered (WC-29). */
public final class SendStatuses {

    /** The rule of a range that leaves a region whose key is good. */
    private static final Rule RANGE = Rule.MR_22;

    private SendStatuses() {}

    /** The status of the completion. */
    public static WcStatus notGathered(DeviceProfile profile, Denial denial) {
        boolean spec = profile.completions().sendStatus() == SendStatus.SPEC;
        return spec || denial.refusal().brokenRule() == RANGE ? WcStatus.LOC_PROT_ERR : WcStatus.LOC_QP_OP_ERR;
    }
}
