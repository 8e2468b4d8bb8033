// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The outstanding requests of a queue that completes in order. One thread at a time posts, with the monitor of this held; another may take
 * results meanwhile.
 */
final class RequestRing<R> extends Requests<R> {

    private final int depth;
    private final List<R> slots;
    private long posted;
    private volatile long taken;

    /**
     * A ring.
     *
     * @param depth how many requests may be outstanding, from 0
     * @param maker makes what a slot remembers
     */
    public RequestRing(int depth, Supplier<R> maker) {
        this.depth = depth;
        int size = Integer.highestOneBit(Math.max(1, depth) * 2 - 1);
        slots = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            slots.add(maker.get());
        }
    }

    /** Whether as many are outstanding as may be. */
    public boolean isFull() {
        return posted - taken >= depth;
    }

    /** Takes the next slot, which must be free; returns the number of the request. */
    public int put() {
        return (int) posted++;
    }

    /** The request that was put last is not posted after all. */
    public void takeBack() {
        posted--;
    }

    @Override
    public R get(int number) {
        return slots.get(number & slots.size() - 1);
    }

    @Override
    public void taken(int number) {
        long before = taken;
        int further = number - (int) before + 1;
        if (further > 0) {
            taken = before + further;
        }
    }
}
