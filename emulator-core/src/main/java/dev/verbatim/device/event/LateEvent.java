// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DeferredEffect;

/** That the oldest event of a queue can be read, after a program looked for it in vain (N11). */
final class LateEvent extends DeferredEffect {

    private final AsyncEventQueue queue;
    private final long number;
    private boolean hasCome;

    LateEvent(AsyncEventQueue queue, long number) {
        super(ChoicePoint.ASYNC_EVENT);
        this.queue = queue;
        this.number = number;
    }

    boolean hasCome() {
        return hasCome;
    }

    @Override
    public boolean isNext() {
        return true;
    }

    @Override
    public void happen() {
        hasCome = true;
        queue.oldestCame();
    }

    @Override
    public String toString() {
        return queue + " late event " + number;
    }
}
