// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts what the threads of this JVM allocate, all but one that takes no part. */
public final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long exceptThread;
    private long[] threads = {};
    private long[] before = {};

    /** @param exceptThread its id, or 0 if all count */
    public Allocation(long exceptThread) {
        this.exceptThread = exceptThread;
    }

    public void begin() {
        threads = THREADS.getAllThreadIds();
        before = new long[threads.length];
        // To ask makes objects too: the calling thread is asked last here and first at the end.
        long caller = Thread.currentThread().getId();
        for (int i = 0; i < threads.length; i++) {
            if (threads[i] == caller) {
                threads[i] = threads[threads.length - 1];
                threads[threads.length - 1] = caller;
            }
        }
        for (int i = 0; i < threads.length; i++) {
            before[i] = THREADS.getThreadAllocatedBytes(threads[i]);
        }
    }

    /** Bytes since the beginning; threads that have ended meanwhile do not count. */
    public long end() {
        long sum = 0;
        for (int i = threads.length - 1; i >= 0; i--) {
            long now = threads[i] == exceptThread ? 0 : THREADS.getThreadAllocatedBytes(threads[i]);
            sum += Math.max(0, now - before[i]);
        }
        return sum;
    }
}
