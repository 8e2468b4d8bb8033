// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Results that were translated and not taken yet, oldest first; grows when it must.
 *
 * @param <T> the holder of a result; holders are made once and reused
 */
final class WaitingResults<T> {

    private final Supplier<T> maker;
    private List<T> holders = new ArrayList<>();
    private @Nullable Requests<?>[] queues;
    private int[] numbers;
    private int first;
    private int count;

    /** Has room for so many at the beginning. */
    public WaitingResults(int room, Supplier<T> maker) {
        int size = Integer.highestOneBit(Math.max(1, Math.min(room, 1 << 10)) * 2 - 1);
        this.maker = maker;
        queues = new Requests<?>[size];
        numbers = new int[size];
        fill(holders, size);
    }

    private void fill(List<T> list, int size) {
        while (list.size() < size) {
            list.add(maker.get());
        }
    }

    /** How many wait. */
    public int count() {
        return count;
    }

    /** The holder of the next result; it counts when it was {@linkplain #add added}. */
    public T next() {
        if (count == numbers.length) {
            grow();
        }
        return holders.get(slot(count));
    }

    /** The holder was filled with the result of that request. */
    public void add(Requests<?> queue, int number) {
        queues[slot(count)] = queue;
        numbers[slot(count)] = number;
        count++;
    }

    /** Takes the oldest, whose holder may be read until the next one is added; the slot of its request is free now. */
    public T take() {
        T oldest = holders.get(first);
        Requests<?> queue = queues[first];
        if (queue != null) {
            queue.taken(numbers[first]);
        }
        first = slot(1);
        count--;
        return oldest;
    }

    private int slot(int offset) {
        return first + offset & numbers.length - 1;
    }

    private void grow() {
        int size = numbers.length;
        List<T> more = new ArrayList<>(2 * size);
        @Nullable Requests<?>[] moreQueues = new Requests<?>[2 * size];
        int[] moreNumbers = new int[2 * size];
        for (int i = 0; i < count; i++) {
            more.add(holders.get(slot(i)));
            moreQueues[i] = queues[slot(i)];
            moreNumbers[i] = numbers[slot(i)];
        }
        fill(more, 2 * size);
        holders = more;
        queues = moreQueues;
        numbers = moreNumbers;
        first = 0;
    }
}
