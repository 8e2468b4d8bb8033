// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All queues of an adapter by the upper half of their requests' numbers: 20 bits of index and 12 bits that change when an index is used
 * again, so that a late completion of a queue that has gone finds none.
 */
final class RequestTable<R> {

    private static final int INDEX_BITS = 20;
    private static final int MOST = 1 << INDEX_BITS;
    private static final int FIRST_ROOM = 16;
    private static final long USE = 1L << (Integer.SIZE + INDEX_BITS);

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private volatile @Nullable Requests<R>[] queues = new Requests[FIRST_ROOM];

    private final ArrayDeque<Long> freed = new ArrayDeque<>();
    private int used;

    /** Adds the requests of a queue; false if the table is full, with 2^20 queues. */
    public synchronized boolean add(Requests<R> requests) {
        Long again = freed.pollFirst();
        long tag = again != null ? again + USE : (long) used << Integer.SIZE;
        int index = index(tag);
        if (used == MOST && again == null) {
            return false;
        }
        if (again == null) {
            used++;
        }
        @Nullable Requests<R>[] now = queues;
        @Nullable Requests<R>[] next = index < now.length ? now : Arrays.copyOf(now, now.length * 2);
        requests.tag(tag);
        next[index] = requests;
        queues = next;
        return true;
    }

    /** Removes the requests of a queue. */
    @SuppressWarnings("ReferenceEquality") // the same queue
    public synchronized void remove(Requests<R> requests) {
        int index = index(requests.tag());
        if (queues[index] == requests) {
            queues[index] = null;
            freed.addLast(requests.tag());
        }
    }

    /** The queue of the request with this number; null if it is gone. */
    public @Nullable Requests<R> find(long id) {
        @Nullable Requests<R>[] now = queues;
        int index = index(id);
        Requests<R> found = index < now.length ? now[index] : null;
        return found != null && (found.tag() ^ id) >>> Integer.SIZE == 0 ? found : null;
    }

    private static int index(long id) {
        return (int) (id >>> Integer.SIZE) & MOST - 1;
    }
}
