// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The outstanding receives of a shared queue, which complete in any order. */
final class NdReceivePool extends NdRequests {

    private @Nullable Object[] contexts;
    private int[] free;
    private int freeCount;
    private int depth;

    NdReceivePool(int depth) {
        super(null);
        this.depth = depth;
        contexts = new Object[depth];
        free = new int[depth];
        for (int i = 0; i < depth; i++) {
            free[i] = depth - 1 - i;
        }
        freeCount = depth;
    }

    synchronized int depth() {
        return depth;
    }

    /** How many are outstanding. */
    synchronized int count() {
        return contexts.length - freeCount;
    }

    /** Takes a place; -1 if none is free. */
    synchronized int put(@Nullable Object context) {
        if (contexts.length - freeCount >= depth) {
            return -1;
        }
        int number = free[--freeCount];
        contexts[number] = context;
        return number;
    }

    /** Holds so many from now on, which is not less than are outstanding. */
    synchronized void resize(int newDepth) {
        int before = contexts.length;
        if (newDepth > before) {
            contexts = Arrays.copyOf(contexts, newDepth);
            free = Arrays.copyOf(free, newDepth);
            for (int number = newDepth - 1; number >= before; number--) {
                free[freeCount++] = number;
            }
        }
        depth = newDepth;
    }

    @Override
    synchronized @Nullable Object context(int number) {
        return contexts[number];
    }

    @Override
    NdRequestType type(int number) {
        return NdRequestType.RECEIVE;
    }

    @Override
    boolean isSilent(int number) {
        return false;
    }

    @Override
    @Nullable
    NdMemoryWindow window(int number) {
        return null;
    }

    @Override
    synchronized void taken(int number) {
        contexts[number] = null;
        free[freeCount++] = number;
    }
}
