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
        if (doorbell.markRung()) {
            push(doorbell);
        }
    }

    /** Whether nothing is queued. */
    public boolean isEmpty() {
        return newest.get() == null;
    }

    /**
     * Answers what is queued now; false if that was nothing. If an answer throws, those behind it stay queued, behind what
     * was rung meanwhile.
     */
    public boolean answerAll() {
        if (newest.get() == null) {
            return false;
        }
        Doorbell unanswered = oldestFirst(newest.getAndSet(null));
        try {
            while (unanswered != null) {
                Doorbell doorbell = unanswered;
                unanswered = doorbell.next;
                doorbell.next = null;
                doorbell.clearRung();
                doorbell.answer();
            }
        } finally {
            while (unanswered != null) {
                Doorbell doorbell = unanswered;
                unanswered = doorbell.next;
                push(doorbell);
            }
        }
        return true;
    }

    private void push(Doorbell doorbell) {
        Doorbell head;
        do {
            head = newest.get();
            doorbell.next = head;
        } while (!newest.compareAndSet(head, doorbell));
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
