// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.track;

import dev.verbatim.conformance.bench.plan.Effort;
import dev.verbatim.conformance.bench.plan.Series;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Times tracks in turn, A B A B, so that a machine that becomes slower meanwhile does so for all of them. */
public final class Measurement {

    private static final int MOST_OPERATIONS = 100_000_000;
    private static final int MOST_WARM_UP_RUNS = 200;
    private static final int MOST_GROWTH = 8;

    private final Effort effort;
    private final Histogram scratch = Series.newHistogram();

    public Measurement(Effort effort) {
        this.effort = effort;
    }

    /**
     * Warms up, then measures; the series are in the order of the tracks.
     *
     * @param cold whether nothing of the kind has run yet, so that the compiler is still to come
     */
    public List<Series> of(List<? extends Track> tracks, boolean cold) {
        List<Series> all = new ArrayList<>();
        for (Track track : tracks) {
            all.add(new Series(track.name(), warmUp(track, cold), effort.rounds()));
        }
        for (int round = 0; round < effort.rounds(); round++) {
            for (int i = 0; i < tracks.size(); i++) {
                Track track = tracks.get(i);
                scratch.reset();
                long nanos = track.run(all.get(i).operationsOfARound(), scratch);
                all.get(i).add(nanos, scratch, track.allocatedBytes());
            }
        }
        return all;
    }

    /** Runs it until it is warm; how many operations fill a round, going by the quickest run. */
    private int warmUp(Track track, boolean cold) {
        long enoughNanos = cold ? Math.max(effort.warmUpNanos(), effort.coldNanos()) : effort.warmUpNanos();
        double quickestNanos = Double.MAX_VALUE;
        int operations = 1;
        int fitting = 1;
        long spentNanos = 0;
        for (int run = 0; run < MOST_WARM_UP_RUNS; run++) {
            scratch.reset();
            long nanos = Math.max(1, track.run(operations, scratch));
            spentNanos += nanos;
            quickestNanos = Math.min(quickestNanos, (double) nanos / operations);
            fitting = (int) Math.max(1, Math.min(MOST_OPERATIONS, effort.roundNanos() / quickestNanos));
            if (operations >= fitting / 2 && spentNanos >= enoughNanos) {
                break;
            }
            operations = (int) Math.min(fitting, (long) operations * MOST_GROWTH);
        }
        return fitting;
    }
}
