// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.history;

import dev.verbatim.bench.plan.Series;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a result compares with an earlier one of the same line. Each round counts as its ratio to the yardstick's round beside it, so that
 * hours in which the machine had another speed can be compared.
 *
 * @param yardstick what both were measured beside
 * @param before how many times faster than the yardstick each earlier round was
 * @param now the same of the rounds of now
 */
public record Comparison(String yardstick, List<Double> before, List<Double> now) {

    /** What can be said of a ratio when the spread of the rounds is known. */
    public enum Verdict {
        FASTER("faster"),
        SLOWER("slower"),
        WITHIN_SPREAD("within the spread");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** By the first yardstick that both have; null if they have none in common. */
    public static @Nullable Comparison of(Result before, Result now) {
        for (Map.Entry<String, List<Double>> yardstick : now.yardsticks().entrySet()) {
            List<Double> then = before.yardsticks().get(yardstick.getKey());
            if (then != null && !then.isEmpty() && !now.nanos().isEmpty()) {
                return new Comparison(
                        yardstick.getKey(), speeds(before.nanos(), then), speeds(now.nanos(), yardstick.getValue()));
            }
        }
        return null;
    }

    private static List<Double> speeds(List<Double> nanos, List<Double> yardstickNanos) {
        List<Double> speeds = new ArrayList<>();
        for (int round = 0; round < nanos.size(); round++) {
            speeds.add(yardstickNanos.get(round) / nanos.get(round));
        }
        return speeds;
    }

    /** How many times as fast it is now, by the medians: more than 1 is faster, for latencies too. */
    public double ratio() {
        return median(now) / median(before);
    }

    /** The worst round of now beside the best before. */
    public double least() {
        return Collections.min(now) / Collections.max(before);
    }

    /** The best round of now beside the worst before. */
    public double most() {
        return Collections.max(now) / Collections.min(before);
    }

    /** Whether every round of now lies on one side of every round before. */
    public Verdict verdict() {
        if (least() > 1) {
            return Verdict.FASTER;
        }
        return most() < 1 ? Verdict.SLOWER : Verdict.WITHIN_SPREAD;
    }

    private static double median(List<Double> values) {
        return Series.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
