// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.cq.UnfinishedWork;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendFlags;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes what a queue pair has not done, for a program that waited in vain. On the lane. */
final class UnfinishedRequests {

    private UnfinishedRequests() {}

    static UnfinishedWork of(QpContext qp) {
        SendQueue sends = qp.sendQueue();
        long outstanding = sends.posted() - sends.completed();
        boolean receives = qp.receives().size() > 0
                || (qp.receives().isShared() && qp.receives().oldest() != null);
        StringBuilder text = new StringBuilder();
        add(text, "qp %d in %s", qp.number(), qp.state);
        Link link = qp.link();
        if (qp.type() != QpType.UD) {
            add(
                    text,
                    link == null ? ", not connected" : " to qp %d of %s",
                    qp.destinationQp(),
                    link == null ? "" : link.peer());
        }
        if (outstanding > 0) {
            SendWqe oldest = sends.at(sends.completed());
            add(text, ": send requests=%d, the oldest %s wr_id=%d", outstanding, oldest.opcode(), oldest.id());
            addUnsignaled(text, sends, sends.completed());
        } else if (sends.posted() > 0) {
            add(text, ": all send requests=%d are done", sends.posted());
            addUnsignaled(text, sends, sends.posted() - 1);
        } else {
            add(text, ": no send request");
        }
        if (qp.receives().isShared()) {
            add(text, receives ? ", receives in its shared queue" : ", no receive in its shared queue");
        } else {
            add(text, ", receives=%d", qp.receives().size());
        }
        text.append(qp.engine().retries());
        return new UnfinishedWork(outstanding == 0 && !receives, text.toString(), reason(qp, outstanding > 0));
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

    private static @Nullable Refusal reason(QpContext qp, boolean asks) {
        if (qp.state == QpState.ERR || qp.state == QpState.SQE) {
            return qp.root();
        }
        Link link = qp.link();
        return link == null || qp.type() == QpType.UD ? null : link.reasonOfSilence(qp.number(), qp.destinationQp());
    }

    private static void add(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
