// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The outstanding receives of a shared queue, which complete in any order. */
final class ReceivePool<R> extends Requests<R> {

    private final Supplier<R> maker;
    private final Consumer<R> cleaner;
    private final List<R> slots = new ArrayList<>();
    private int[] free = new int[0];
    private int freeCount;
    private int depth;

    /**
     * A pool.
     *
     * @param depth how many receives may be outstanding
     * @param maker makes what a slot remembers
     * @param cleaner clears a slot whose result was taken
     */
    public ReceivePool(int depth, Supplier<R> maker, Consumer<R> cleaner) {
        this.maker = maker;
        this.cleaner = cleaner;
        resize(depth);
    }

    /** How many may be outstanding. */
    public synchronized int depth() {
        return depth;
    }

    /** How many are outstanding. */
    public synchronized int count() {
        return slots.size() - freeCount;
    }

    /** Takes a slot and returns its number; -1 if none is free. */
    public synchronized int put() {
        return slots.size() - freeCount >= depth ? -1 : free[--freeCount];
    }

    /** Changes its depth, to not less than are outstanding. */
    public synchronized void resize(int newDepth) {
        int before = slots.size();
        if (newDepth > before) {
            free = Arrays.copyOf(free, newDepth);
            for (int number = newDepth - 1; number >= before; number--) {
                free[freeCount++] = number;
                slots.add(maker.get());
            }
        }
        depth = newDepth;
    }

    @Override
    public synchronized R get(int number) {
        return slots.get(number);
    }

    @Override
    public synchronized void taken(int number) {
        cleaner.accept(slots.get(number));
        free[freeCount++] = number;
    }
}
