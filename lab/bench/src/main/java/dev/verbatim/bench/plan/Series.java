// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What was measured of one loop, round by round. */
public final class Series {

    private static final double MEDIAN = 50;
    private static final double HIGH = 99;

    private final String name;
    private final int operationsOfARound;
    private final double[] nanosOfRounds;
    private final double[] cpuNanosOfRounds;
    private final double[] allocatedOfRounds;
    private final Histogram latencies = newHistogram();
    private int rounds;

    public Series(String name, int operationsOfARound, int rounds) {
        this.name = name;
        this.operationsOfARound = operationsOfARound;
        this.nanosOfRounds = new double[rounds];
        this.cpuNanosOfRounds = new double[rounds];
        Arrays.fill(cpuNanosOfRounds, Double.NaN);
        this.allocatedOfRounds = new double[rounds];
    }

    /** For latencies up to ten seconds, to three digits; never grows. */
    public static Histogram newHistogram() {
        return new Histogram(10_000_000_000L, 3);
    }

    /**
     * A round is over; its histogram is empty if only the whole was timed.
     *
     * @param cpuNanos processor time of the thread that did the operations; negative if unknown
     */
    public void add(long nanos, long cpuNanos, Histogram round, long allocatedBytes) {
        cpuNanosOfRounds[rounds] = cpuNanos < 0 ? Double.NaN : (double) cpuNanos / operationsOfARound;
        add(nanos, round, allocatedBytes);
    }

    /** A round is over, of which nobody knows the processor time. */
    public void add(long nanos, Histogram round, long allocatedBytes) {
        boolean each = round.getTotalCount() > 0;
        nanosOfRounds[rounds] = each ? round.getValueAtPercentile(MEDIAN) : (double) nanos / operationsOfARound;
        allocatedOfRounds[rounds] = allocatedBytes < 0 ? Double.NaN : (double) allocatedBytes / operationsOfARound;
        latencies.add(round);
        rounds++;
    }

    public String name() {
        return name;
    }

    public int operationsOfARound() {
        return operationsOfARound;
    }

    /** Of all rounds. */
    public long operations() {
        return (long) operationsOfARound * rounds;
    }

    /** Nanoseconds of an operation: of all where each was timed, else of the median round. */
    public double medianNanos() {
        return latencies.getTotalCount() > 0
                ? latencies.getValueAtPercentile(MEDIAN)
                : median(Arrays.copyOf(nanosOfRounds, rounds));
    }

    /** Nanoseconds of the quickest operation where each was timed, else of an operation of the quickest round. */
    public double bestNanos() {
        return latencies.getTotalCount() > 0
                ? latencies.getMinValue()
                : Arrays.stream(nanosOfRounds, 0, rounds).min().orElse(Double.NaN);
    }

    /** What 99 of 100 operations did not exceed; no number where only rounds were timed. */
    public double p99Nanos() {
        return latencies.getTotalCount() > 0 ? latencies.getValueAtPercentile(HIGH) : Double.NaN;
    }

    /** Processor time of an operation on the thread that did it, in nanoseconds, in the median round; no number if unknown. */
    public double cpuNanos() {
        return median(Arrays.copyOf(cpuNanosOfRounds, rounds));
    }

    /** Nanoseconds of an operation, round by round. */
    public List<Double> roundNanos() {
        return Arrays.stream(nanosOfRounds, 0, rounds).boxed().toList();
    }

    /** Processor time of an operation in nanoseconds, round by round. */
    public List<Double> roundCpuNanos() {
        return Arrays.stream(cpuNanosOfRounds, 0, rounds).boxed().toList();
    }

    /** Bytes allocated for an operation, in the median round; no number if nobody counted. */
    public double allocatedBytes() {
        return median(Arrays.copyOf(allocatedOfRounds, rounds));
    }

    /** The median over rounds of a round's ratio to the yardstick's round beside it, if there is one for each. */
    public double ratioTo(Series yardstick, Measure measure) {
        if (yardstick.rounds != rounds) {
            return measure.ratio(medianNanos(), yardstick.medianNanos());
        }
        double[] ratios = new double[rounds];
        Arrays.setAll(ratios, i -> measure.ratio(nanosOfRounds[i], yardstick.nanosOfRounds[i]));
        return median(ratios);
    }

    /** The middle one; between two, their mean. */
    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
