// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.history;

import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one line of one run has shown, round by round. Times are those of one operation in nanoseconds.
 *
 * @param line what was measured, in words that name nothing else
 * @param nanos times of Verbatim
 * @param cpuNanos processor times of the posting thread
 * @param yardsticks times of the baselines by name, as many rounds as {@code nanos} has
 */
public record Result(String line, List<Double> nanos, List<Double> cpuNanos, Map<String, List<Double>> yardsticks) {

    /** Of what was measured. Programs that ran beside the line and not round by round are left out. */
    public static Result of(Line line, int depth, Series ours, List<Series> others) {
        Map<String, List<Double>> yardsticks = new LinkedHashMap<>();
        for (Series other : others) {
            if (other.roundNanos().size() == ours.roundNanos().size()) {
                yardsticks.put(other.name(), other.roundNanos());
            }
        }
        return new Result(name(line, depth), ours.roundNanos(), ours.roundCpuNanos(), yardsticks);
    }

    private static String name(Line line, int depth) {
        String transport =
                line.transport() == null ? "" : " " + line.transport().name().toLowerCase(Locale.ROOT);
        return line.what() + " " + line.setting().fabric() + transport + " "
                + line.setting().mode() + " " + line.sizeBytes() + " B depth " + depth;
    }

    /** Both together; of the yardsticks those that both have. */
    Result and(Result other) {
        Map<String, List<Double>> common = new LinkedHashMap<>();
        yardsticks.forEach((name, rounds) -> {
            List<Double> others = other.yardsticks.get(name);
            if (others != null) {
                common.put(name, joined(rounds, others));
            }
        });
        return new Result(line, joined(nanos, other.nanos), joined(cpuNanos, other.cpuNanos), common);
    }

    private static List<Double> joined(List<Double> first, List<Double> second) {
        List<Double> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
