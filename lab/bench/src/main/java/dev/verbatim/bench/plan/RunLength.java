// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

/**
 * How long is measured.
 *
 * @param coldNanos how long a loop runs at least before it counts if it is the first of its kind
 * @param warmUpNanos how long each other loop runs at least before it counts
 * @param roundNanos about how long one round of a loop takes
 * @param rounds of each loop
 */
public record RunLength(long coldNanos, long warmUpNanos, long roundNanos, int rounds) {

    private static final double ENOUGH_COLD_NANOS = 3e8;
    private static final double MOST_COLD_SHARE = 3;
    private static final double WARM_UP_SHARE = 1.5;
    private static final long SHORT_ROUND_NANOS = 50_000_000L;
    private static final int FEW_QUEUE_PAIRS = 200;
    private static final int MANY_QUEUE_PAIRS = 1000;
    private static final int VERY_MANY_QUEUE_PAIRS = 10_000;
    private static final int FEW_LINKS = 10;
    private static final int MANY_LINKS = 50;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Of so many queue pairs the cost of an idle one is the mean. */
    public int manyQps() {
        return roundNanos < SHORT_ROUND_NANOS ? FEW_QUEUE_PAIRS : MANY_QUEUE_PAIRS;
    }

    /** So many queue pairs are connected to be all at work, and so many connections come and go in a round. */
    public int throng() {
        return roundNanos < SHORT_ROUND_NANOS ? MANY_QUEUE_PAIRS : VERY_MANY_QUEUE_PAIRS;
    }

    /** And of so many links. */
    public int links() {
        return roundNanos < SHORT_ROUND_NANOS ? FEW_LINKS : MANY_LINKS;
    }

    /** Measures each loop for so long, in so many rounds. */
    public static RunLength of(double seconds, int rounds) {
        double nanos = seconds * NANOS_PER_SECOND;
        return new RunLength(
                (long) Math.min(nanos * MOST_COLD_SHARE, Math.max(nanos, ENOUGH_COLD_NANOS)),
                (long) (nanos * WARM_UP_SHARE),
                Math.max(1, (long) (nanos / rounds)),
                rounds);
    }
}
