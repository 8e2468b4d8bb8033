// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;

/** That a completion queue has news: one for each queue, which is in its channel as often as the queue fired. */
final class EmulatedCompletionEvent implements CompletionEvent {

    private final EmulatedCompletionQueue cq;
    private final CqNotification notification;

    EmulatedCompletionEvent(EmulatedCompletionQueue cq, CqNotification notification) {
        this.cq = cq;
        this.notification = notification;
    }

    @Override
    public CompletionQueue cq() {
        return cq;
    }

    boolean isOf(EmulatedCompletionQueue candidate) {
        return cq == candidate;
    }

    /** A program takes it; false if it came too late, for its queue goes. */
    boolean taken() {
        return notification.eventTaken();
    }

    @Override
    public void acknowledge() {
        notification.acknowledge(1);
    }

    @Override
    public String toString() {
        return "completion event of " + cq;
    }
}
