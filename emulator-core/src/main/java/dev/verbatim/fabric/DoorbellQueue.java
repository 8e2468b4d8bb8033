// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Doorbells rung by any thread and answered by one, in the order in which they were rung. Allocates nothing. */
public final class DoorbellQueue {

    private final AtomicReference<@Nullable Doorbell> newest = new AtomicReference<>();

    /** Queues the doorbell unless it is queued already. */
    public void ring(Doorbell doorbell) {
        if (!doorbell.markRung()) {
            return;
        }
        Doorbell head;
        do {
            head = newest.get();
            doorbell.next = head;
        } while (!newest.compareAndSet(head, doorbell));
    }

    /** Whether nothing is queued. */
    public boolean isEmpty() {
        return newest.get() == null;
    }

    /** Answers what is queued now; false if that was nothing. */
    public boolean answerAll() {
        if (isEmpty()) {
            return false;
        }
        Doorbell doorbell = oldestFirst(newest.getAndSet(null));
        while (doorbell != null) {
            Doorbell following = doorbell.next;
            doorbell.next = null;
            doorbell.clearRung();
            doorbell.answer();
            doorbell = following;
        }
        return true;
    }

    private static @Nullable Doorbell oldestFirst(@Nullable Doorbell newestFirst) {
        Doorbell reversed = null;
        Doorbell rest = newestFirst;
        while (rest != null) {
            Doorbell following = rest.next;
            rest.next = reversed;
            reversed = rest;
            rest = following;
        }
        return reversed;
    }
}
