// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import org.jspecify.annotations.Nullable;

/** Results that have been translated and not been taken yet, oldest first; grows when it must. */
final class NdWaitingResults {

    private NdResult[] results;
    private @Nullable NdRequests[] queues;
    private int[] numbers;
    private int first;
    private int count;

    NdWaitingResults(int room) {
        int size = Integer.highestOneBit(Math.max(1, Math.min(room, 1 << 10)) * 2 - 1);
        results = NdResult.array(size);
        queues = new NdRequests[size];
        numbers = new int[size];
    }

    int count() {
        return count;
    }

    /** The holder of the next result; it counts when it was {@linkplain #add added}. */
    NdResult next() {
        if (count == results.length) {
            grow();
        }
        return results[slot(count)];
    }

    /** The holder was filled with the result of that request. */
    void add(NdRequests queue, int number) {
        queues[slot(count)] = queue;
        numbers[slot(count)] = number;
        count++;
    }

    /** Takes the oldest; its place in its queue is free now. */
    void take(NdResult into) {
        NdRequests queue = queues[first];
        results[first].copyTo(into);
        if (queue != null) {
            queue.taken(numbers[first]);
        }
        first = first + 1 & results.length - 1;
        count--;
    }

    private int slot(int offset) {
        return first + offset & results.length - 1;
    }

    private void grow() {
        int size = results.length;
        NdResult[] more = NdResult.array(2 * size);
        @Nullable NdRequests[] moreQueues = new NdRequests[2 * size];
        int[] moreNumbers = new int[2 * size];
        for (int i = 0; i < count; i++) {
            more[i] = results[slot(i)];
            moreQueues[i] = queues[slot(i)];
            moreNumbers[i] = numbers[slot(i)];
        }
        results = more;
        queues = moreQueues;
        numbers = moreNumbers;
        first = 0;
    }
}
