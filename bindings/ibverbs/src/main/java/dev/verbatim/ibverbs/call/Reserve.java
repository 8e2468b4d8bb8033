// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * Heap for what must go on when there is no other: destroying, polling, failing. It is taken when the heap fills, and given up when it is
 * full; until as much is free again, calls that would keep heap are refused with ENOMEM, without looking for any.
 */
final class Reserve {

    private static final Runtime RUNTIME = Runtime.getRuntime();
    private static final long MOST_BYTES = RUNTIME.maxMemory();
    private static final int SIZE_BYTES = (int) Math.min(Math.max(MOST_BYTES / 32, 512 << 10), 64 << 20);

    /** With less than that left, it is taken. */
    private static final long FILLING_BYTES = MOST_BYTES / 4;

    /** A look at what is left takes longer than a post. */
    private static final int POSTS_BETWEEN = 256;

    /** Looking for heap where there is none takes the JVM a while, of which it shall not do more than one part in so many. */
    private static final int REST = 10;

    @SuppressWarnings("StaticAssignmentOfThrowable") // there is no heap for another
    private static final Refused FULL = new Refused(
            Errno.ENOMEM.number(),
            "the heap of the JVM is full, of " + (MOST_BYTES >> 20)
                    + " MiB; destroy objects, or set a larger one, as by VERBATIM_EXTRA_JVM_OPTIONS=-Xmx1g");

    private static byte @Nullable [] held;
    private static volatile boolean isFull;
    private static volatile long nextNanos;
    private static int posts;

    private Reserve() {}

    /**
     * Before a call that keeps heap.
     *
     * @throws Refused ENOMEM if there is none
     */
    static void require() {
        if (isFull || (held == null && leftBytes() < FILLING_BYTES)) {
            take();
        }
    }

    /** The same of a call that seldom keeps heap, and often comes. Threads may count together as one. */
    static void requireNowAndThen() {
        int count = posts + 1;
        posts = count;
        if (isFull || count % POSTS_BETWEEN == 0) {
            require();
        }
    }

    /** Before a call that gives heap back, which takes some first. */
    static void free() {
        if (isFull) {
            nextNanos = System.nanoTime();
        } else if (held != null && leftBytes() < SIZE_BYTES) {
            give();
        }
    }

    /** The heap is full. Without an object. */
    static void give() {
        held = null;
        isFull = true;
        nextNanos = System.nanoTime();
    }

    private static long leftBytes() {
        return MOST_BYTES - RUNTIME.totalMemory() + RUNTIME.freeMemory();
    }

    /** Takes it if as much is left beside it. */
    private static synchronized void take() {
        long from = System.nanoTime();
        if (!isFull && held != null) {
            return;
        }
        if (isFull && nextNanos - from > 0) {
            throw FULL;
        }
        try {
            byte[] taken = new byte[SIZE_BYTES];
            byte[] left = new byte[SIZE_BYTES];
            held = left.length == taken.length ? taken : null;
            isFull = false;
        } catch (OutOfMemoryError e) {
            isFull = true;
            long to = System.nanoTime();
            nextNanos = to + REST * (to - from);
            throw FULL;
        }
    }
}
