// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import java.util.Objects;

/** How the oldest request of a send queue completes. */
final class SendCompletion {

    private SendCompletion() {}

    /** What has left the queue is told of, if it is to be, whatever is thrown; first it leaves. */
    static void of(QpContext qp, SendWqe wqe, int byteLength) {
        CompletionOutput completions = Objects.requireNonNull(qp.sendCompletions());
        WcStatus failure = wqe.failure();
        boolean isTold =
                wqe.has(SendFlags.SIGNALED) || (failure != null && !qp.windows().leaveUntold(wqe));
        int shownLength = SendStatuses.byteLength(qp.device().profile(), wqe, byteLength);
        if (qp.device().isTraced()) {
            qp.decided(Rule.WR_16);
            if (isTold) {
                qp.decided(Rule.WC_03);
            }
        }
        SendQueue queue = qp.sendQueue();
        queue.completeOldest();
        long freed = queue.completed();
        if (isTold) {
            WcStatus status = failure == null ? WcStatus.SUCCESS : failure;
            completions.complete(
                    wqe.id(), status, wqe.wcOpcode(), shownLength, 0, 0, 0, wqe.reason(), freed, failure != null);
        } else if (failure == null) {
            completions.executed(wqe.id(), wqe.wcOpcode(), freed);
        }
    }
}
