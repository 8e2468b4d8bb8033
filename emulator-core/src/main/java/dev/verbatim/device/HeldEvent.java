// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Postponed;

/** An asynchronous event that has occurred and cannot be read yet (N11); those of a device come in their order (AE-20). */
final class HeldEvent extends Postponed {

    private final AsyncEventQueue queue;
    private final EmulatedAsyncEvent event;
    private final long number;

    HeldEvent(AsyncEventQueue queue, EmulatedAsyncEvent event, long number) {
        super(ChoicePoint.ASYNC_EVENT);
        this.queue = queue;
        this.event = event;
        this.number = number;
    }

    EmulatedAsyncEvent event() {
        return event;
    }

    @Override
    public boolean isNext() {
        return queue.isOldestHeld(this);
    }

    @Override
    public void happen() {
        queue.deliver(this);
    }

    @Override
    public String toString() {
        return queue + " event " + number;
    }
}
