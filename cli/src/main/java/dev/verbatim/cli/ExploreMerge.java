// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Output;
import dev.verbatim.conformance.explore.ExploreFigures;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Joins parts of {@code explore}. */
final class ExploreMerge implements MergedParts {

    private static final double NANOS_PER_SECOND = 1e9;

    /** What the parts of one job have in common. */
    static Map<String, Object> job(long seed, int programs, String option) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("seed", seed);
        job.put("programs", programs);
        job.put("option", option);
        return job;
    }

    /** How many of its programs a part did not run, as after too many failures. */
    @Override
    public long left(ShardResult part) {
        ExploreFigures figures = new ExploreFigures();
        add(figures, part);
        return part.shard().share(number(part.ofJob("programs"))) - figures.programs();
    }

    /** Prints what one process would have printed, but for the seconds, which are those of all parts together. */
    @Override
    public boolean tell(List<ShardResult> parts, Output output) {
        ExploreReport report = new ExploreReport(
                output,
                number(parts.get(0).ofJob("seed")),
                String.valueOf(parts.get(0).ofJob("option")));
        ExploreFigures figures = new ExploreFigures();
        double seconds = 0;
        for (ShardResult part : parts) {
            add(figures, part);
            for (Map<String, Object> line : part.lines("counts")) {
                seconds += line.get("seconds") instanceof Number taken ? taken.doubleValue() : 0;
            }
        }
        parts.stream()
                .flatMap(part -> part.lines("failure").stream())
                .sorted(Comparator.comparingLong(line -> number(line.get("program"))))
                .forEach(report::failure);
        report.all(figures, Math.round(seconds * NANOS_PER_SECOND));
        return figures.failures() == 0;
    }

    private static void add(ExploreFigures figures, ShardResult part) {
        for (Map<String, Object> line : part.lines("counts")) {
            figures.add(counts(line));
        }
    }

    private static Map<String, Map<String, Long>> counts(Map<String, Object> line) {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        if (line.get("counts") instanceof Map<?, ?> tables) {
            tables.forEach((table, names) -> counts.put(String.valueOf(table), numbers(names)));
        }
        return counts;
    }

    private static Map<String, Long> numbers(@Nullable Object names) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        if (names instanceof Map<?, ?> counted) {
            counted.forEach((name, count) -> numbers.put(String.valueOf(name), number(count)));
        }
        return numbers;
    }

    private static long number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalArgumentException("a part has '" + value + "' where a number belongs; run it again");
    }
}
