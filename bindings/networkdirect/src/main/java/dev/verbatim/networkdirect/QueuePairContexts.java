// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The contexts of an adapter's queue pairs by their numbers: of a shared receive the completion tells which queue pair took it. */
final class QueuePairContexts {

    /** Sorted by number; never changed once it is published. */
    private static final class Sorted {

        private final int[] numbers;
        private final @Nullable Object[] contexts;

        Sorted(int[] numbers, @Nullable Object[] contexts) {
            this.numbers = numbers;
            this.contexts = contexts;
        }
    }

    private volatile Sorted sorted = new Sorted(new int[0], new Object[0]);

    /** Adds a queue pair, which may have no context. */
    public synchronized void add(int number, @Nullable Object context) {
        Sorted now = sorted;
        int at = -1 - Arrays.binarySearch(now.numbers, number);
        int count = now.numbers.length;
        int[] numbers = Arrays.copyOf(now.numbers, count + 1);
        @Nullable Object[] contexts = Arrays.copyOf(now.contexts, count + 1);
        System.arraycopy(now.numbers, at, numbers, at + 1, count - at);
        System.arraycopy(now.contexts, at, contexts, at + 1, count - at);
        numbers[at] = number;
        contexts[at] = context;
        sorted = new Sorted(numbers, contexts);
    }

    /** Removes a queue pair. */
    public synchronized void remove(int number) {
        Sorted now = sorted;
        int at = Arrays.binarySearch(now.numbers, number);
        int count = now.numbers.length - 1;
        int[] numbers = Arrays.copyOf(now.numbers, count);
        @Nullable Object[] contexts = Arrays.copyOf(now.contexts, count);
        System.arraycopy(now.numbers, at + 1, numbers, at, count - at);
        System.arraycopy(now.contexts, at + 1, contexts, at, count - at);
        sorted = new Sorted(numbers, contexts);
    }

    /** The context of a queue pair; null if it has none, or is gone. */
    public @Nullable Object find(int number) {
        Sorted now = sorted;
        int at = Arrays.binarySearch(now.numbers, number);
        return at < 0 ? null : now.contexts[at];
    }
}
