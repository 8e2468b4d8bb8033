// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendQueue;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a queue pair goes through its send queue whose peers acknowledge nothing: strictly in post order (ORD-20), and a request
 * is done when it has been sent (UC-01, UD-01). It completes when the step has ended in which its last packet was pulled, for
 * until then the link reads the program's memory (ORD-15). On the lane.
 */
public final class UnacknowledgedSends {

    private final QpContext qp;
    private final SendQueue queue;
    private final Doorbell stepEnded = new Doorbell() {
        @Override
        protected void answer() {
            try {
                completeSent();
            } catch (RuntimeException | Error e) {
                UnacknowledgedSends.this.qp.stepFailed(e);
            }
        }
    };

    /** Requests below it are done, though they may not have completed. */
    private long done;

    private boolean started;

    /** Of a queue pair that does not send yet. */
    public UnacknowledgedSends(QpContext qp) {
        this.qp = qp;
        this.queue = qp.sendQueue();
    }

    /** The queue pair may send, from the oldest request that has not completed. */
    public void begin() {
        done = queue.completed();
        started = false;
    }

    /** Forgets everything. */
    public void stop() {
        done = 0;
        started = false;
    }

    /** Whether a request is under way or may be started. */
    public boolean hasNext() {
        return started || (done != queue.posted() && qp.state() == QpState.RTS);
    }

    /** The request that is under way or is to be started; null if there is none. */
    public @Nullable SendWqe next() {
        return hasNext() ? queue.at(done) : null;
    }

    /** The same, also while it may not be started; null if none is queued. */
    public @Nullable SendWqe oldestUnsent() {
        long oldest = Math.max(done, queue.completed());
        return oldest == queue.posted() ? null : queue.at(oldest);
    }

    /** Whether {@link #next()} is under way. */
    public boolean isStarted() {
        return started;
    }

    /** {@link #next()} is given its packet sequence numbers. */
    public void start(SendWqe wqe, int psn, int packets) {
        started = true;
        qp.takesUp(done);
        wqe.start(psn, packets);
        qp.started(wqe);
    }

    /** {@link #next()} is done: its last packet is pulled, or it needed none. */
    public void finish() {
        started = false;
        done++;
        qp.device().lane().ring(stepEnded);
    }

    /** {@link #next()} cannot be done, and the queue pair sends no more (QS-06); {@link #completeSent()} was called in this step. */
    public void fail(SendWqe wqe, WcStatus status, Refusal refusal) {
        started = false;
        qp.takesUp(done++);
        wqe.fail(status, refusal);
        qp.failSending(refusal, () -> qp.completeSend(wqe, 0));
    }

    /** Whether {@link #next()} was doomed when it was posted (WR-01); if so, it has failed now. */
    public boolean failsAsPosted(SendWqe wqe) {
        WcStatus status = wqe.failure();
        if (status == null) {
            return false;
        }
        qp.decided(Rule.WC_31);
        fail(wqe, status, Objects.requireNonNull(wqe.reason()));
        return true;
    }

    /** What was done in steps before this one completes. */
    public void completeSent() {
        if (queue.completed() >= done) {
            return;
        }
        while (queue.completed() < done) {
            qp.decided(Rule.ORD_15);
            qp.completeSend(queue.at(queue.completed()), 0);
        }
        qp.sendQueueAdvanced();
    }

    /** Whether a request was started that has not completed. */
    public boolean isOutstanding() {
        return started || queue.completed() < done;
    }
}
