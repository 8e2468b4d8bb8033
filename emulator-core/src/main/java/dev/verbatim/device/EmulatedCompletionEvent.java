// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** An event of a completion channel. */
final class EmulatedCompletionEvent implements CompletionEvent {

    private final EmulatedCompletionQueue cq;
    private final CqNotification notification;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

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

    void taken() {
        notification.eventTaken();
    }

    @Override
    public void acknowledge() {
        if (acknowledged.getAndSet(true)) {
            cq.device().decidedOutside("NT-07");
            throw new IllegalStateException("this event of " + cq + " was acknowledged before [NT-07]");
        }
        notification.eventAcknowledged();
    }
}
