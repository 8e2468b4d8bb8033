// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The queue pairs of an adapter by number, for receives that are shared: whose result it is shows when it has completed. */
final class NdQueuePairTable {

    private volatile NdQueuePair[] byNumber = {};

    synchronized void add(NdQueuePair queuePair) {
        NdQueuePair[] now = byNumber;
        int at = -1 - search(now, queuePair.verbs().number());
        NdQueuePair[] next = Arrays.copyOf(now, now.length + 1);
        System.arraycopy(now, at, next, at + 1, now.length - at);
        next[at] = queuePair;
        byNumber = next;
    }

    synchronized void remove(NdQueuePair queuePair) {
        NdQueuePair[] now = byNumber;
        int at = search(now, queuePair.verbs().number());
        NdQueuePair[] next = Arrays.copyOf(now, now.length - 1);
        System.arraycopy(now, at + 1, next, at, next.length - at);
        byNumber = next;
    }

    /** Those that there are. */
    NdQueuePair[] all() {
        return byNumber.clone();
    }

    @Nullable
    NdQueuePair find(int number) {
        NdQueuePair[] now = byNumber;
        int at = search(now, number);
        return at < 0 ? null : now[at];
    }

    private static int search(NdQueuePair[] sorted, int number) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int there = sorted[middle].verbs().number();
            if (there == number) {
                return middle;
            }
            if (there < number) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }
}
