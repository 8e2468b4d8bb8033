// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The receive queue of a queue pair: a ring of slots, each made when first used. Programs post under the queue's
 * monitor; the lane takes requests for messages, in order, and completes them. A slot is free again when its completion
 * has been generated (WR-15).
 */
public final class ReceiveQueue {

    private final EmulatedProtectionDomain pd;
    private final int capacity;
    private final int maxSge;
    private final @Nullable ReceiveWqe[] ring;
    private volatile long posted;
    private volatile long completed;

    ReceiveQueue(EmulatedProtectionDomain pd, QpCapabilities capabilities) {
        this.pd = pd;
        this.capacity = capabilities.maxRecvWr();
        this.maxSge = capabilities.maxRecvSge();
        this.ring = new ReceiveWqe[Math.max(1, Integer.highestOneBit(Math.max(1, capacity) * 2 - 1))];
    }

    /** Puts a checked request into the next slot. With the monitor held. */
    void post(ReceiveWorkRequest request, int index) {
        long number = posted;
        if (number - completed >= capacity) {
            throw VerbsException.ofRequest(
                    Errno.ENOMEM,
                    Refusal.of("WR-11", "the receive queue's max_recv_wr=%d slots are taken", capacity),
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

    int maxSge() {
        return maxSge;
    }

    /** The oldest request that has not completed; null if there is none. */
    public @Nullable ReceiveWqe oldest() {
        return completed == posted ? null : slot(completed);
    }

    /** The oldest request is done, and from now on its slot may be another's; returns its number. On the lane. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the lane counts
    long completeOldest() {
        long id = slot(completed).id();
        completed = completed + 1;
        return id;
    }

    /** Forgets everything (QP-24). */
    synchronized void clear() {
        posted = 0;
        completed = 0;
    }
}
