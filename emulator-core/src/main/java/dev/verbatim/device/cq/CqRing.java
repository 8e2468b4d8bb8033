// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import org.jspecify.annotations.Nullable;

/**
 * The slots of a completion queue. There are as many as the requests that may be outstanding and the completions that wait need, and not
 * as many as the queue may hold; so a queue of the largest size costs no more than it is used for. Completions are counted from 0.
 *
 * <p>The lane changes the slots with the queue's monitor held, so either is enough to look.
 */
final class CqRing {

    private static final int LEAST_SLOTS = 16;

    private final Object monitor;

    /** Changed with the monitor held. */
    private @Nullable CqEntry[] slots;

    /** How many completions it may hold. */
    private int capacity;

    /** How many requests may be outstanding that complete here: so many entries are there before they are needed. */
    private int reserved;

    /** From the first on, so many slots have their entries; all of them when the ring has been filled once. */
    private int prepared;

    /** Whether the last attempt to prepare entries found no heap. */
    private boolean starved;

    CqRing(Object monitor, int capacity) {
        this.monitor = monitor;
        this.capacity = capacity;
        this.slots = new CqEntry[Math.min(capacity, LEAST_SLOTS)];
    }

    /** The completion of that number, which waits. */
    CqEntry at(long number) {
        CqEntry entry = slots[slot(number)];
        if (entry == null) {
            throw new IllegalStateException("completion " + number + " was never added");
        }
        return entry;
    }

    /** How many slots there are at present. */
    int slots() {
        return slots.length;
    }

    /** How many of them have their entries. */
    int preparedSlots() {
        int count = 0;
        for (CqEntry entry : slots) {
            count += entry == null ? 0 : 1;
        }
        return count;
    }

    private int slot(long number) {
        return (int) (number % slots.length);
    }

    /** The entry for the next completion; null if there is no room, since so many wait. On the lane. */
    @Nullable
    CqEntry next(long number, long waiting) {
        if (waiting >= slots.length) {
            if (waiting >= capacity) {
                return null;
            }
            become(capacity, number - waiting, number);
        }
        int slot = slot(number);
        CqEntry entry = slots[slot];
        if (entry == null) {
            entry = new CqEntry();
            slots[slot] = entry;
            starved = false;
        }
        return entry;
    }

    /** The completion of one number has another from now on. With the monitor held. */
    void move(long from, long to) {
        CqEntry moved = slots[slot(from)];
        slots[slot(from)] = slots[slot(to)];
        slots[slot(to)] = moved;
    }

    /** So many more requests may complete here: they can be told of also when the heap is full. On the lane. */
    void reserve(int requests, long oldest, long end) {
        reserved = (int) Math.min(Integer.MAX_VALUE, (long) reserved + requests);
        prepare(oldest, end);
    }

    /** So many fewer requests may complete here. On the lane. */
    void release(int requests) {
        reserved -= Math.min(reserved, requests);
    }

    /** Whether {@link #prepare} has something to do. */
    boolean isUnprepared(long waiting) {
        return !starved && (prepared < slots.length || (waiting + reserved > slots.length && slots.length < capacity));
    }

    /** Whoever asks when the heap is full fails, once; what was prepared is for those that fail then. On the lane. */
    void prepare(long oldest, long end) {
        starved = true;
        if (end - oldest + reserved > slots.length && slots.length < capacity) {
            become(capacity, oldest, end);
        }
        long wanted = Math.min(slots.length, end + reserved);
        while (prepared < wanted) {
            if (slots[prepared] == null) {
                slots[prepared] = new CqEntry();
            }
            prepared++;
        }
        starved = false;
    }

    /** Has room for so many completions from now on; those that wait keep their order. On the lane. */
    void become(int newCapacity, long oldest, long end) {
        long needed = Math.max(LEAST_SLOTS, Math.max(end - oldest + 1, end - oldest + reserved));
        int length = (int) Math.min(newCapacity, 2 * needed);
        @Nullable CqEntry[] fresh = new CqEntry[length];
        synchronized (monitor) {
            for (long i = oldest; i < end; i++) {
                fresh[(int) (i % length)] = slots[slot(i)];
                slots[slot(i)] = null;
            }
            keepSpare(fresh);
            slots = fresh;
            capacity = newCapacity;
            prepared = 0;
        }
    }

    /** Entries that do not wait are there for completions to come, as far as there are slots for them. */
    private void keepSpare(@Nullable CqEntry[] fresh) {
        int next = 0;
        for (CqEntry spare : slots) {
            while (spare != null && next < fresh.length && fresh[next] != null) {
                next++;
            }
            if (spare != null && next < fresh.length) {
                fresh[next] = spare;
            }
        }
    }
}
