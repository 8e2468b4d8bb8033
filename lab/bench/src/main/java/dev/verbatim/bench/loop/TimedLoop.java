// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import org.HdrHistogram.Histogram;

/** One way of doing operations, timed in turn with others. */
public interface TimedLoop extends AutoCloseable {

    /** What a column calls it. */
    String name();

    /**
     * Does so many operations.
     *
     * @param latencies gets the nanoseconds of each operation, if this waits for each
     * @return the nanoseconds that all of them took
     */
    long run(int operations, Histogram latencies);

    /** What all threads of all JVMs that took part allocated in the last run, in bytes; negative if nobody counted. */
    default long allocatedBytes() {
        return -1;
    }

    /**
     * Processor time of the thread that did the last run, in nanoseconds.
     *
     * @param hereNanos what the calling thread used
     */
    default long cpuNanos(long hereNanos) {
        return hereNanos;
    }

    @Override
    void close();
}
