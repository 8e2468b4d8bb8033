// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All queues of an adapter by the upper half of their requests' numbers: 20 bits of index and 12 bits that change when an index is used
 * again, so that a late completion of a queue that has gone finds nobody.
 */
final class NdRequestTable {

    private static final int INDEX_BITS = 20;
    private static final int MOST = 1 << INDEX_BITS;
    private static final int FIRST_ROOM = 16;
    private static final long USE = 1L << (Integer.SIZE + INDEX_BITS);

    private volatile @Nullable NdRequests[] queues = new NdRequests[FIRST_ROOM];
    private final ArrayDeque<Long> freed = new ArrayDeque<>();
    private int used;

    synchronized void add(NdRequests requests) {
        Long again = freed.pollFirst();
        long tag = again != null ? again + USE : (long) used << Integer.SIZE;
        int index = index(tag);
        if (index >= MOST) {
            throw new NdException(
                    NdStatus.INSUFFICIENT_RESOURCES, "the adapter has %d queues, and room for no more", used);
        }
        if (again == null) {
            used++;
        }
        @Nullable NdRequests[] now = queues;
        @Nullable NdRequests[] next = index < now.length ? now : Arrays.copyOf(now, now.length * 2);
        requests.tag(tag);
        next[index] = requests;
        queues = next;
    }

    @SuppressWarnings("ReferenceEquality") // the same queue
    synchronized void remove(NdRequests requests) {
        int index = index(requests.tag());
        if (queues[index] == requests) {
            queues[index] = null;
            freed.addLast(requests.tag());
        }
    }

    /** The queue of that request; null if it is gone. */
    @Nullable
    NdRequests find(long id) {
        @Nullable NdRequests[] now = queues;
        int index = index(id);
        NdRequests found = index < now.length ? now[index] : null;
        return found != null && (found.tag() ^ id) >>> Integer.SIZE == 0 ? found : null;
    }

    private static int index(long id) {
        return (int) (id >>> Integer.SIZE) & MOST - 1;
    }
}
