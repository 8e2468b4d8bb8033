// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Completes what is queued on a queue pair in ERR, in order: first what it asks, then what it would receive (QP-22). Each flushed
 * request has what took the queue pair there as its cause.
 */
final class Flush {

    private Flush() {}

    static void of(QpContext qp, @Nullable Refusal cause) {
        ofSends(qp, cause);
        qp.receives().flushCausedBy(cause);
    }

    /**
     * The queue pair has failed, though not for the oldest of its requests: those that were executed, and are not seen to have
     * completed, may be flushed too.
     */
    static void ofExecuted(QpContext qp, Refusal cause) {
        SendQueue sends = qp.sendQueue();
        CompletionOutput completions = qp.sendCompletions();
        boolean failed = sends.completed() < sends.posted()
                && sends.at(sends.completed()).failure() != null;
        if (completions != null && !failed) {
            completions.flushExecuted(Refusal.of(
                            Rule.QP_22,
                            "qp %d is in %s: the request was executed, and flushed",
                            qp.number(),
                            qp.state())
                    .causedBy(cause));
        }
    }

    /**
     * Completes everything for one reason, when there may be no heap to say of each what it was. What is thrown meanwhile is
     * thrown on only if it kept a request from being completed.
     *
     * @param statusOfOldest what the oldest request fails with; all others are flushed
     */
    static void of(QpContext qp, Refusal reason, WcStatus statusOfOldest) {
        SendQueue sendQueue = qp.sendQueue();
        WcStatus status = statusOfOldest;
        for (long oldest = sendQueue.completed(); oldest < sendQueue.posted(); oldest = sendQueue.completed()) {
            SendWqe wqe = sendQueue.at(oldest);
            wqe.fail(status, reason);
            status = WcStatus.WR_FLUSH_ERR;
            try {
                qp.completeSend(wqe, 0);
            } catch (RuntimeException | Error e) {
                if (sendQueue.completed() == oldest) {
                    throw e;
                }
                qp.device().stepFailures().alsoThrown(e);
            }
        }
        qp.receives().flush(reason);
    }

    /** Completes what it asks alone: in SQE a queue pair receives on. */
    static void ofSends(QpContext qp, @Nullable Refusal cause) {
        SendQueue sendQueue = qp.sendQueue();
        while (sendQueue.completed() < sendQueue.posted()) {
            SendWqe wqe = sendQueue.at(sendQueue.completed());
            if (wqe.operation() == Operation.BIND_MW) {
                qp.decided(Rule.MW_60);
            }
            wqe.fail(
                    WcStatus.WR_FLUSH_ERR,
                    Refusal.of(
                                    Rule.QP_22,
                                    "qp %d is in %s: %s wr_id=%d was flushed",
                                    qp.number(),
                                    qp.state(),
                                    wqe.operation(),
                                    wqe.id())
                            .causedBy(cause));
            qp.completeSend(wqe, 0);
        }
    }
}
