// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** How the oldest request of a send queue completes. */
final class SendCompletion {

    private final SendQueue queue;
    private final WindowOperations windows;
    private final QpTrace trace;
    private final boolean tellsLength;
    private final @Nullable QpInspector inspector;

    /** Of a queue pair of that device. */
    SendCompletion(SendQueue queue, WindowOperations windows, QpTrace trace) {
        this.queue = queue;
        this.windows = windows;
        this.trace = trace;
        this.inspector = trace.inspector();
        this.tellsLength = trace.device().profile().completions().senderByteLength();
    }

    /**
     * What has left the queue is told of, if it is to be, whatever is thrown; first it leaves.
     *
     * @param byteLength bytes that came back: those that are defined (WC-02)
     */
    void of(SendWqe wqe, int byteLength, CompletionOutput completions) {
        WcStatus failure = wqe.failure();
        boolean isTold = wqe.has(SendFlags.SIGNALED) || (failure != null && !windows.leaveUntold(wqe));
        int shownLength = failure == null && tellsLength ? (int) wqe.lengthBytes() : byteLength;
        if (trace.isTraced()) {
            trace.decided(Rule.WR_16);
            if (isTold) {
                trace.decided(Rule.WC_03);
            }
        }
        if (inspector != null) {
            inspector.sendCompleted(failure == null ? WcStatus.SUCCESS : failure);
        }
        long freed = queue.completeOldest();
        if (isTold) {
            WcStatus status = failure == null ? WcStatus.SUCCESS : failure;
            WcOpcode opcode = wqe.wcOpcode();
            completions.complete(wqe.id(), status, opcode, shownLength, 0, 0, 0, wqe.reason(), freed, failure != null);
            if (opcode == WcOpcode.SEND && failure == null) {
                trace.count(DeviceCounter.RDMA_SENDS);
            }
        } else if (failure == null) {
            WcOpcode opcode = wqe.wcOpcode();
            completions.executed(wqe.id(), opcode, freed);
            if (opcode == WcOpcode.SEND) {
                trace.count(DeviceCounter.RDMA_SENDS);
            }
        }
    }
}
