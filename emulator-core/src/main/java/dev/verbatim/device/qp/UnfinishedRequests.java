// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.cq.UnfinishedWork;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.Standstill;
import org.jspecify.annotations.Nullable;

/** Describes what a queue pair has not done, for a program that waited in vain. On the lane. */
final class UnfinishedRequests {

    private UnfinishedRequests() {}

    static UnfinishedWork of(QpContext qp) {
        SendQueue sends = qp.sendQueue();
        long outstanding = sends.posted() - sends.completed();
        boolean receives = qp.receives().size() > 0
                || (qp.receives().isShared() && qp.receives().oldest() != null);
        StringBuilder text =
                new StringBuilder("qp ").append(qp.number()).append(" in ").append(qp.state);
        Link link = qp.link();
        if (link != null) {
            text.append(" to qp ").append(qp.destinationQp()).append(" of ").append(link.peer());
        } else if (qp.type() != QpType.UD) {
            text.append(", not connected");
        }
        addSends(text, sends);
        if (qp.receives().isShared()) {
            text.append(receives ? ", receives in its shared queue" : ", no receive in its shared queue");
        } else {
            text.append(", receives=").append(qp.receives().size());
        }
        text.append(qp.engine().retries());
        Standstill.Kind kind = kindOf(sends, receives);
        long oldest = outstanding > 0 ? sends.at(sends.completed()).id() : 0;
        return new UnfinishedWork(kind, oldest, text.toString(), reason(qp, kind));
    }

    private static Standstill.@Nullable Kind kindOf(SendQueue sends, boolean receives) {
        if (sends.posted() > sends.completed()) {
            return Standstill.Kind.REQUEST;
        }
        if (sends.posted() > 0 && sends.isFull()) {
            return Standstill.Kind.SEND_QUEUE_FULL;
        }
        if (receives) {
            return Standstill.Kind.RECEIVE;
        }
        boolean isUntold = sends.posted() > 0 && !sends.at(sends.posted() - 1).has(SendFlags.SIGNALED);
        return isUntold ? Standstill.Kind.UNSIGNALED : null;
    }

    private static void addSends(StringBuilder text, SendQueue sends) {
        long outstanding = sends.posted() - sends.completed();
        if (outstanding > 0) {
            SendWqe oldest = sends.at(sends.completed());
            text.append(": send requests=").append(outstanding);
            text.append(", the oldest ")
                    .append(oldest.operation())
                    .append(" wr_id=")
                    .append(oldest.id());
            addUnsignaled(text, sends, sends.completed());
        } else if (sends.posted() > 0) {
            text.append(": none of send requests=").append(sends.posted()).append(" is outstanding");
            addUnsignaled(text, sends, sends.posted() - 1);
        } else {
            text.append(": no send request");
        }
    }

    /** A request without SIGNALED completes without a completion. */
    private static void addUnsignaled(StringBuilder text, SendQueue sends, long from) {
        long signaled = 0;
        for (long number = from; number < sends.posted(); number++) {
            signaled += sends.at(number).has(SendFlags.SIGNALED) ? 1 : 0;
        }
        if (signaled == 0) {
            text.append(", without SIGNALED");
        }
    }

    private static @Nullable Refusal reason(QpContext qp, Standstill.@Nullable Kind kind) {
        if (qp.state == QpState.ERR || qp.state == QpState.SQE) {
            return qp.root();
        }
        if (kind == Standstill.Kind.SEND_QUEUE_FULL) {
            return Refusal.of(
                    Rule.WR_14,
                    "all max_send_wr=%d slots are taken by requests that are done, and come back when a completion of a later"
                            + " SIGNALED request is polled; post such requests, and poll",
                    qp.sendQueue().capacity());
        }
        if (kind == Standstill.Kind.UNSIGNALED) {
            return Refusal.of(
                    Rule.WC_03,
                    "requests without SIGNALED have no completion when they succeed; post what is waited for with SIGNALED");
        }
        if (kind == Standstill.Kind.REQUEST && qp.state == QpState.SQD) {
            return Refusal.of(Rule.QP_26, "in SQD no request is started; change it to RTS");
        }
        Refusal known = qp.engine().reasonOfWait();
        Link link = qp.link();
        if (known == null && link != null && qp.type() != QpType.UD) {
            known = link.reasonOfSilence(qp.number(), qp.destinationQp());
        }
        return known != null || kind != Standstill.Kind.RECEIVE
                ? known
                : Refusal.of(
                        Rule.WC_03,
                        "no message has come that takes a receive of qp %d; have its peer send one",
                        qp.number());
    }
}
