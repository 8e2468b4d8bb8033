// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.fabric.Link;
import dev.verbatim.profile.WindowSwitches.FailedRemoteInvalidation;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;

/** How a responder ends its queue pair: what the peer is told last, and what the program is told (WC-47). */
final class ResponderFailure {

    private final QpContext qp;
    private final ResponderOutbox outbox;
    private final ResponderResources resources;

    ResponderFailure(QpContext qp, ResponderOutbox outbox, ResponderResources resources) {
        this.qp = qp;
        this.outbox = outbox;
        this.resources = resources;
    }

    /** A request is refused and took no receive: the reason is an event. */
    void withEvent(int psn, Denial denial, EventType event) {
        end(psn, denial, () -> qp.raise(event, denial.refusal()));
    }

    /** A request is refused and took a receive: the reason shows in its completion (AE-21). */
    void withReceive(ReceiveSource receives, int psn, Denial denial, WcStatus status) {
        qp.decided(Rule.AE_21);
        end(psn, denial, () -> receives.fail(status, denial.refusal()));
    }

    /** Alignment, key with a receive to report on, or key alone: three rows of the table of causes. */
    void decidedKey(Denial denial, boolean hasReceive) {
        if (denial.syndrome() == Syndrome.NAK_INVALID_REQUEST) {
            qp.decided(Rule.WC_26);
        } else if (hasReceive) {
            qp.decided(Rule.WC_24);
            qp.decided(Rule.WC_48);
        } else {
            qp.decided(Rule.WC_23);
        }
    }

    /** The requester may ask why its request was refused. */
    static void keepReason(QpContext qp, int psn, Denial denial) {
        Link link = qp.link();
        if (link != null) {
            qp.device().nakReasons().add(link.peer(), qp.destinationQp(), qp.number(), psn, denial);
        }
    }

    private void end(int psn, Denial denial, Runnable tell) {
        qp.decided(Rule.PR_01);
        qp.decided(Rule.DUP_05);
        qp.decided(Rule.WC_47);
        qp.decided(Rule.WC_49);
        if (denial.syndrome() == Syndrome.NAK_REMOTE_OPERATIONAL) {
            qp.decided(Rule.WC_39);
        }
        keepReason(qp, psn, denial);
        resources.silenceFrom(psn);
        outbox.lastReply(psn, denial.syndrome());
        qp.fail(denial.refusal(), tell);
    }

    /** A SEND_WITH_INV placed its data and cannot invalidate: its receive fails, and the peer is told nothing (MW-85). */
    void ofInvalidation(ReceiveSource receives, Packet packet, Refusal refusal) {
        qp.decided(Rule.WC_35);
        qp.decided(Rule.MW_86);
        FailedRemoteInvalidation answer = qp.device().profile().windows().failedRemoteInvalidation();
        if (answer == FailedRemoteInvalidation.SILENT) {
            qp.decided(Rule.WC_47);
            outbox.onlyWhatIsOwed();
        } else {
            outbox.lastReply(
                    packet.psn(),
                    answer == FailedRemoteInvalidation.NAK ? Syndrome.NAK_REMOTE_ACCESS : Syndrome.ACK_NO_CREDIT);
        }
        qp.fail(refusal, () -> receives.fail(WcStatus.REM_INV_REQ_ERR, refusal));
    }
}
