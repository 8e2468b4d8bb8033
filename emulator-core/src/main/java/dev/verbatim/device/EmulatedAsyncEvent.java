// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SharedReceiveQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An asynchronous event about a queue pair or a completion queue. */
final class EmulatedAsyncEvent implements AsyncEvent {

    private final EventType type;
    private final @Nullable EmulatedQueuePair queuePair;
    private final @Nullable EmulatedCompletionQueue cq;
    private final @Nullable Refusal refusal;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    EmulatedAsyncEvent(
            EventType type,
            @Nullable EmulatedQueuePair queuePair,
            @Nullable EmulatedCompletionQueue cq,
            @Nullable Refusal refusal) {
        this.type = type;
        this.queuePair = queuePair;
        this.cq = cq;
        this.refusal = refusal;
    }

    /** The rule that says when an event of this type is raised. */
    static String ruleOf(EventType type) {
        return switch (type) {
            case CQ_ERR -> "AE-01";
            case QP_FATAL -> "AE-02";
            case QP_REQ_ERR -> "AE-03";
            case QP_ACCESS_ERR -> "AE-04";
            case COMM_EST -> "AE-05";
            case SQ_DRAINED -> "AE-06";
            default -> throw new IllegalArgumentException(type + " is raised by no rule");
        };
    }

    @Override
    public EventType type() {
        return type;
    }

    @Override
    public @Nullable QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public @Nullable CompletionQueue completionQueue() {
        return cq;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return null;
    }

    @Override
    public int portNumber() {
        return 0;
    }

    @Override
    public @Nullable Refusal refusal() {
        return refusal;
    }

    boolean isAbout(Object element) {
        return queuePair == element || cq == element;
    }

    void taken() {
        owe(1);
    }

    @Override
    public void acknowledge() {
        if (acknowledged.getAndSet(true)) {
            throw new IllegalStateException("this " + type + " event was acknowledged before [AE-20]");
        }
        owe(-1);
    }

    private void owe(int change) {
        if (queuePair != null) {
            queuePair.asyncEventTaken(change);
        }
        if (cq != null) {
            cq.asyncEventTaken(change);
        }
    }

    @Override
    public String toString() {
        return type + (refusal == null ? "" : ": " + refusal);
    }
}
