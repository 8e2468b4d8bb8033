// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.verbs.WcStatus;

/** How a device calls what is wrong with a receive that took a message and failed. */
final class ReceiveStatuses {

    private ReceiveStatuses() {}

    /** The status of the completion where the rules have {@code status} (WC-20, WC-21, WC-24). */
    static WcStatus shown(CompletionSwitches switches, WcStatus status) {
        if (switches.receiveStatus() == CompletionSwitches.ReceiveStatus.SPEC) {
            return status;
        }
        return switch (status) {
            case LOC_LEN_ERR -> WcStatus.REM_INV_REQ_ERR;
            case LOC_PROT_ERR -> WcStatus.LOC_QP_OP_ERR;
            case LOC_ACCESS_ERR -> WcStatus.REM_ACCESS_ERR;
            default -> status;
        };
    }
}
