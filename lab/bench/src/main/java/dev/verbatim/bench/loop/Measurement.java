// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.plan.RunLength;
import dev.verbatim.bench.plan.Series;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Times loops in turn, A B A B, so that a machine that becomes slower meanwhile does so for all of them. */
public final class Measurement {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MOST_OPERATIONS = 100_000_000;
    private static final int MOST_WARM_UP_RUNS = 200;
    private static final int MOST_GROWTH = 8;

    private final RunLength runLength;
    private final Histogram scratch = Series.newHistogram();

    public Measurement(RunLength runLength) {
        this.runLength = runLength;
    }

    /**
     * Warms up, then measures; the series are in the order of the loops.
     *
     * @param cold whether nothing of the kind has run yet, so that the compiler is still to come
     */
    public List<Series> of(List<? extends TimedLoop> loops, boolean cold) {
        List<Series> all = new ArrayList<>();
        for (TimedLoop loop : loops) {
            all.add(new Series(loop.name(), warmUp(loop, cold), runLength.rounds()));
        }
        for (int round = 0; round < runLength.rounds(); round++) {
            for (int i = 0; i < loops.size(); i++) {
                TimedLoop loop = loops.get(i);
                scratch.reset();
                long cpuNanos = THREADS.getCurrentThreadCpuTime();
                long nanos = loop.run(all.get(i).operationsOfARound(), scratch);
                cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuNanos;
                all.get(i).add(nanos, loop.cpuNanos(cpuNanos), scratch, loop.allocatedBytes());
            }
        }
        return all;
    }

    /** Runs it until it is warm; how many operations fill a round, going by the quickest run. */
    private int warmUp(TimedLoop loop, boolean cold) {
        long enoughNanos = cold ? Math.max(runLength.warmUpNanos(), runLength.coldNanos()) : runLength.warmUpNanos();
        double quickestNanos = Double.MAX_VALUE;
        int operations = 1;
        int fitting = 1;
        long spentNanos = 0;
        for (int run = 0; run < MOST_WARM_UP_RUNS; run++) {
            scratch.reset();
            long nanos = Math.max(1, loop.run(operations, scratch));
            spentNanos += nanos;
            quickestNanos = Math.min(quickestNanos, (double) nanos / operations);
            fitting = (int) Math.max(1, Math.min(MOST_OPERATIONS, runLength.roundNanos() / quickestNanos));
            if (operations >= fitting / 2 && spentNanos >= enoughNanos) {
                break;
            }
            operations = (int) Math.min(fitting, (long) operations * MOST_GROWTH);
        }
        return fitting;
    }
}
