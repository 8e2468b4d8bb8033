// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Clock;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a scenario compares with sequential consistency. A run is sequentially consistent if programs take their steps in any order, each
 * program its own in order, and everything that a step leads to has happened before the next step of any program: packets, placements,
 * completions and events, each in the canonical way. So an operation takes effect as a whole at its post. What has to wait, such as a SEND
 * without a receive, happens as soon as the step that it waits for does, or when time passes, which is when nothing else is possible.
 * These are the runs in which no {@link ChoicePoint} but {@link ChoicePoint#PROGRAM_STEP} is on, and no CPU has store buffers.
 *
 * @param sequential texts of the outcomes of sequentially consistent runs
 * @param beyond the outcomes that no sequentially consistent run has, and what makes them
 * @param isKnown whether {@code beyond} has all, and each really is; false if an exploration did not come to its end
 */
public record Robustness(Set<String> sequential, List<Beyond> beyond, boolean isKnown) {

    /** At most so many choice points are tried together. */
    static final int MOST_TOGETHER = 3;

    /**
     * An outcome that is not sequentially consistent.
     *
     * @param outcome what registers and words held
     * @param needs the smallest sets of choice points that make it, if they are on besides {@link ChoicePoint#PROGRAM_STEP}; empty if more
     *     than {@value #MOST_TOGETHER} are needed, or time was over; an empty set if store buffers alone make it
     */
    public record Beyond(Outcome outcome, List<Set<ChoicePoint>> needs) {

        /** The same by the labels of the points. */
        public List<List<String>> needsLabels() {
            return needs.stream()
                    .map(points -> points.stream().map(ChoicePoint::label).toList())
                    .toList();
        }
    }

    /** Sets of choice points by their labels, such as {@code request with arrival, or placement}; of an empty one, {@code store buffers}. */
    public static String text(List<List<String>> labels) {
        return labels.isEmpty()
                ? "more than was tried"
                : String.join(
                        ", or ",
                        labels.stream()
                                .map(points -> points.isEmpty() ? "store buffers" : String.join(" with ", points))
                                .toList());
    }

    /** Whether no outcome is beyond sequential consistency, as far as is known. */
    public boolean isRobust() {
        return beyond.isEmpty();
    }

    /**
     * Compares what an exploration found.
     *
     * @param findings what {@code exploration} found
     * @param mostNanos how long that may take
     */
    public static Robustness of(
            ScenarioExploration exploration, ExplorationResult findings, Clock clock, long mostNanos) {
        return new Comparison(exploration, findings, clock, clock.nanoTime() + mostNanos).compare();
    }

    /** Explores the scenario with some of its choice points on. */
    private static final class Comparison {

        private final ScenarioExploration exploration;
        private final ExplorationResult findings;
        private final Clock clock;
        private final long endNanos;
        private boolean isInTime = true;

        Comparison(ScenarioExploration exploration, ExplorationResult findings, Clock clock, long endNanos) {
            this.exploration = exploration;
            this.findings = findings;
            this.clock = clock;
            this.endNanos = endNanos;
        }

        Robustness compare() {
            Set<String> sequential = outcomes(exploration.onSequentialCpus(), Set.of());
            boolean isKnown = isInTime && findings.explored().isComplete();
            Map<String, Outcome> left = new LinkedHashMap<>();
            findings.texts().forEach((text, ending) -> {
                if (!sequential.contains(text)) {
                    left.put(text, ending.outcome());
                }
            });
            Map<String, List<Set<ChoicePoint>>> needs = new LinkedHashMap<>();
            left.keySet().forEach(text -> needs.put(text, new ArrayList<>()));
            List<ChoicePoint> points = askedPoints();
            Set<String> unexplained = new TreeSet<>(left.keySet());
            for (int size = exploration.hasStoreBuffers() ? 0 : 1;
                    size <= MOST_TOGETHER && !unexplained.isEmpty();
                    size++) {
                for (Set<ChoicePoint> together : subsets(points, size, 0)) {
                    outcomes(exploration, together).stream()
                            .filter(unexplained::contains)
                            .forEach(text ->
                                    needs.getOrDefault(text, new ArrayList<>()).add(together));
                }
                unexplained.removeIf(
                        text -> !needs.getOrDefault(text, List.of()).isEmpty());
            }
            List<Beyond> beyond = new ArrayList<>();
            left.forEach((text, outcome) -> beyond.add(new Beyond(outcome, needs.getOrDefault(text, List.of()))));
            return new Robustness(sequential, beyond, isKnown);
        }

        /** Points at which there was something to choose. */
        private List<ChoicePoint> askedPoints() {
            Explored explored = findings.explored();
            return exploration.openChoices().points().stream()
                    .filter(point -> point != ChoicePoint.PROGRAM_STEP)
                    .filter(point -> explored.tally().asked(point) > 0 || !explored.isComplete())
                    .toList();
        }

        private static List<Set<ChoicePoint>> subsets(List<ChoicePoint> points, int size, int from) {
            if (size == 0) {
                return List.of(Set.of());
            }
            List<Set<ChoicePoint>> subsets = new ArrayList<>();
            for (int i = from; i < points.size(); i++) {
                for (Set<ChoicePoint> rest : subsets(points, size - 1, i + 1)) {
                    EnumSet<ChoicePoint> subset = EnumSet.of(points.get(i));
                    subset.addAll(rest);
                    subsets.add(subset);
                }
            }
            return subsets;
        }

        /** The outcomes of all runs with these points on; fewer, and {@code isInTime} is false, if time is over. */
        private Set<String> outcomes(ScenarioExploration asked, Set<ChoicePoint> on) {
            long leftNanos = endNanos - clock.nanoTime();
            if (leftNanos <= 0) {
                isInTime = false;
                return Set.of();
            }
            OpenChoices openChoices =
                    new OpenChoices(on, exploration.openChoices().faults()).with(ChoicePoint.PROGRAM_STEP);
            Explored explored = asked.under(openChoices)
                    .explore(all -> all.atMostNanos(clock, leftNanos))
                    .explored();
            isInTime &= explored.isComplete();
            return explored.outcomes().keySet();
        }
    }
}
