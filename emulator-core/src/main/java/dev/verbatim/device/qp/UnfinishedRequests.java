// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.cq.UnfinishedWork;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendFlags;
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
        return new UnfinishedWork(outstanding == 0 && !receives, text.toString(), reason(qp));
    }

    private static void addSends(StringBuilder text, SendQueue sends) {
        long outstanding = sends.posted() - sends.completed();
        if (outstanding > 0) {
            SendWqe oldest = sends.at(sends.completed());
            text.append(": send requests=").append(outstanding);
            text.append(", the oldest ")
                    .append(oldest.opcode())
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

    private static @Nullable Refusal reason(QpContext qp) {
        if (qp.state == QpState.ERR || qp.state == QpState.SQE) {
            return qp.root();
        }
        Link link = qp.link();
        return link == null || qp.type() == QpType.UD ? null : link.reasonOfSilence(qp.number(), qp.destinationQp());
    }
}
