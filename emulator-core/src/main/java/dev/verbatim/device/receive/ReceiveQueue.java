// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A receive queue, of a queue pair or shared: a ring of slots, each made when first used. Programs post under the queue's
 * monitor; the lane takes requests for messages, in order, and completes them. A slot is free again when its completion
 * has been generated (WR-15).
 */
public final class ReceiveQueue {

    private final PdIdentity pd;
    private final String sizeName;
    private final int maxSge;
    private int capacity;
    private @Nullable ReceiveWqe[] ring;
    private volatile long posted;
    private volatile long completed;

    /**
     * A queue with room for {@code capacity} requests.
     *
     * @param sizeName what its capacity is called
     */
    public ReceiveQueue(PdIdentity pd, String sizeName, int capacity, int maxSge) {
        this.pd = pd;
        this.sizeName = sizeName;
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.ring = ringFor(capacity);
    }

    private static @Nullable ReceiveWqe[] ringFor(int capacity) {
        return new ReceiveWqe[Math.max(1, Integer.highestOneBit(Math.max(1, capacity) * 2 - 1))];
    }

    /** Puts a checked request into the next slot. With the monitor held. */
    public void post(ReceiveWorkRequest request, int index) {
        long number = posted;
        if (number - completed >= capacity) {
            throw VerbsException.ofRequest(
                    Errno.ENOMEM,
                    Refusal.of(Rule.WR_11, "the receive queue's %s=%d slots are taken", sizeName, capacity),
                    index);
        }
        slot(number).fill(request);
        posted = number + 1;
    }

    private ReceiveWqe slot(long number) {
        int slot = (int) number & ring.length - 1;
        ReceiveWqe wqe = ring[slot];
        if (wqe == null) {
            wqe = new ReceiveWqe(pd, maxSge);
            ring[slot] = wqe;
        }
        return wqe;
    }

    public int maxSge() {
        return maxSge;
    }

    /** The oldest request that has not completed; null if there is none. */
    @Nullable
    ReceiveWqe oldest() {
        return completed == posted ? null : slot(completed);
    }

    /** The oldest request is done, and from now on its slot may be another's; returns its number. On the lane. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the lane counts
    long completeOldest() {
        long id = slot(completed).id();
        completed = completed + 1;
        return id;
    }

    /**
     * Takes the oldest request out of the ring; its slot gets the other object, for requests to come. There must be one. On the
     * lane.
     */
    ReceiveWqe exchangeOldest(@Nullable ReceiveWqe spare) {
        ReceiveWqe taken = slot(completed);
        ring[(int) completed & ring.length - 1] = spare;
        completeOldest();
        return taken;
    }

    /** How many requests are in it. */
    int size() {
        return (int) (posted - completed);
    }

    int capacity() {
        return capacity;
    }

    /** Has room for so many from now on, which must not be fewer than are in it. On the lane, with the monitor held. */
    void resize(int newCapacity) {
        @Nullable ReceiveWqe[] resized = ringFor(newCapacity);
        for (long number = completed; number < posted; number++) {
            resized[(int) number & resized.length - 1] = ring[(int) number & ring.length - 1];
        }
        ring = resized;
        capacity = newCapacity;
    }

    /** Forgets everything (QP-24). */
    synchronized void clear() {
        posted = 0;
        completed = 0;
    }
}
