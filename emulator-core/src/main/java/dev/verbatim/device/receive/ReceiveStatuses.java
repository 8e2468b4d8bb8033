// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.Denial;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Syndrome;

/** How a device calls what is wrong with a receive that took a message and failed. */
public final class ReceiveStatuses {

    private ReceiveStatuses() {}

    /** The status of the completion where the rules have {@code status} (WC-20, WC-21, WC-24). */
    static WcStatus shown(CompletionSwitches switches, WcStatus status) {
        if (switches.receiveStatus() == CompletionSwitches.ReceiveStatus.SPEC) {
            return status;
        }
        // Measured; for what is too long the rules have REM_INV_REQ_ERR of this device, from an older source.
        return switch (status) {
            case LOC_LEN_ERR, LOC_PROT_ERR -> WcStatus.LOC_QP_OP_ERR;
            case LOC_ACCESS_ERR -> WcStatus.REM_ACCESS_ERR;
            default -> status;
        };
    }

    /** How a message is refused that does not fit its receive (WC-20). */
    public static Denial tooLong(CompletionSwitches switches, Refusal refusal) {
        boolean own = shown(switches, WcStatus.LOC_LEN_ERR) == WcStatus.LOC_QP_OP_ERR;
        return own ? Denial.remoteOperational(refusal) : new Denial(Syndrome.NAK_INVALID_REQUEST, refusal);
    }
}
