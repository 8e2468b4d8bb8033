// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.explore.OrderedTasks;
import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.fabric.Clock;
import dev.verbatim.sim.ExplorationThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the cheapest additions to a scenario without which an outcome is possible, or, where it is impossible, for what can be dropped
 * so that it stays impossible. Each answer was explored: the changed scenario cannot end with the outcome, no step fails, and it ends in no
 * way in which the scenario itself cannot.
 */
public final class CureSearch {

    /** At most so many additions are tried together. */
    public static final int MOST_ADDITIONS = 3;

    private final Scenario scenario;
    private final OutcomePattern outcome;
    private final Clock clock;
    private final long endNanos;
    private final int threads;

    /** For the thread that searches. */
    private boolean isInTime = true;

    /**
     * Changes that were explored together.
     *
     * @param what in words
     * @param cost how expensive they are at run time, roughly
     * @param executions how many executions the changed scenario has
     */
    public record Change(List<String> what, int cost, List<ChangedLine> lines, Scenario changed, long executions) {}

    /**
     * What was found.
     *
     * @param isPossible whether the scenario can end so; null if time was over before that was known
     * @param changes if it can, the additions of least cost that remove the outcome; if not, all that can be dropped together, as much as
     *     possible; those of the same cost are alternatives
     * @param isComplete whether nothing better can be among what is tried
     */
    public record Answer(@Nullable Boolean isPossible, List<Change> changes, boolean isComplete) {}

    /**
     * What was found of a set.
     *
     * @param change null if it is not as it has to be, or that is not known
     * @param isKnown false if time was over before
     */
    private record Tried(List<Edit> edits, @Nullable Change change, boolean isKnown) {}

    /**
     * Prepares a search.
     *
     * @param clock for several threads
     * @param mostNanos how long it may take
     * @param threads so many explore, at least 1; the answer is the same
     */
    public CureSearch(Scenario scenario, OutcomePattern outcome, Clock clock, long mostNanos, int threads) {
        this.scenario = scenario;
        this.outcome = outcome;
        this.clock = clock;
        this.endNanos = clock.nanoTime() + mostNanos;
        this.threads = threads;
    }

    /** Searches. */
    public Answer find() {
        ExplorationResult original = exploreByAll(scenario);
        boolean isSeen = original.endings().stream().anyMatch(ending -> outcome.matches(ending.outcome()));
        if (!original.explored().isComplete()) {
            return new Answer(isSeen ? true : null, List.of(), false);
        }
        Set<Outcome> known = original.endings().stream()
                .filter(CureSearch::hasNoFailedStep)
                .map(ExplorationResult.Ending::outcome)
                .collect(Collectors.toSet());
        List<Change> changes = new ArrayList<>();
        Map<Integer, List<List<Edit>>> byCost = (isSeen ? additions() : removals(known))
                .stream().collect(Collectors.groupingBy(CureSearch::cost, LinkedHashMap::new, Collectors.toList()));
        for (List<List<Edit>> sameCost : byCost.values()) {
            if (changes.isEmpty() && isInTime) {
                right(sameCost, known).forEach(tried -> changes.add(tried.change()));
            }
        }
        return new Answer(isSeen, changes, isInTime);
    }

    /** Those of the sets that are as they have to be, in their order. */
    private List<Tried> right(List<List<Edit>> sets, Set<Outcome> known) {
        List<Tried> right = new ArrayList<>();
        OrderedTasks.each("suggest", threads, sets, edits -> tried(edits, known), tried -> {
            isInTime &= tried.isKnown();
            if (tried.change() != null) {
                right.add(tried);
            }
        });
        return right;
    }

    private static int cost(List<Edit> edits) {
        return edits.stream().mapToInt(Edit::cost).sum();
    }

    /** Sets of additions, the cheapest first. */
    private List<List<Edit>> additions() {
        List<Edit> each = Additions.to(scenario);
        List<List<Edit>> sets = new ArrayList<>();
        for (int size = 1; size <= MOST_ADDITIONS; size++) {
            addSubsets(each, size, 0, List.of(), sets);
        }
        sets.sort(Comparator.comparingInt(CureSearch::cost));
        return sets;
    }

    /** Sets of what can each be dropped alone, the most expensive first. */
    private List<List<Edit>> removals(Set<Outcome> known) {
        List<List<Edit>> alone = Removals.of(scenario).stream().map(List::of).toList();
        List<Edit> each = right(alone, known).stream()
                .flatMap(tried -> tried.edits().stream())
                .toList();
        List<List<Edit>> sets = new ArrayList<>();
        for (int size = 1; size <= each.size(); size++) {
            addSubsets(each, size, 0, List.of(), sets);
        }
        sets.sort(Comparator.comparingInt(CureSearch::cost).reversed());
        return sets;
    }

    private static void addSubsets(List<Edit> each, int size, int from, List<Edit> taken, List<List<Edit>> sets) {
        if (taken.size() == size) {
            sets.add(taken);
            return;
        }
        for (int i = from; i < each.size(); i++) {
            List<Edit> more = new ArrayList<>(taken);
            more.add(each.get(i));
            addSubsets(each, size, i + 1, more, sets);
        }
    }

    /** Explores the scenario with these edits; several threads at the same time. */
    private Tried tried(List<Edit> edits, Set<Outcome> known) {
        if (leftNanos() <= 0) {
            return new Tried(edits, null, false);
        }
        ScenarioDraft draft = new ScenarioDraft(scenario);
        edits.forEach(edit -> edit.change().accept(draft));
        Scenario changed = draft.scenario();
        if (!isValid(changed)) {
            return new Tried(edits, null, true);
        }
        Boolean permits = new ScenarioExploration(changed, null).permits(outcome, clock, Math.max(1, leftNanos()));
        if (!Boolean.FALSE.equals(permits)) {
            return new Tried(edits, null, permits != null);
        }
        ExplorationResult result = explore(new ScenarioExploration(changed, null));
        boolean isComplete = result.explored().isComplete();
        boolean isRight = isComplete && result.endings().stream().allMatch(ending -> isKnown(ending, known));
        Change change = isRight
                ? new Change(
                        edits.stream().map(Edit::what).toList(),
                        cost(edits),
                        draft.lines(),
                        changed,
                        result.explored().executions())
                : null;
        return new Tried(edits, change, isComplete);
    }

    /** Whether it can be written as a file. */
    private static boolean isValid(Scenario changed) {
        try {
            ScenarioReader.read("changed", ScenarioWriter.write(changed));
            return true;
        } catch (BadScenario e) {
            return false;
        }
    }

    private static boolean isKnown(ExplorationResult.Ending ending, Set<Outcome> known) {
        return hasNoFailedStep(ending)
                && known.stream()
                        .anyMatch(outcome ->
                                ending.outcome().only(outcome.values().keySet()).equals(outcome));
    }

    private static boolean hasNoFailedStep(ExplorationResult.Ending ending) {
        return ending.failures().stream().allMatch(failure -> failure.node().isEmpty());
    }

    private long leftNanos() {
        return endNanos - clock.nanoTime();
    }

    /** Explores by all threads. */
    private ExplorationResult exploreByAll(Scenario one) {
        try (ExplorationThreads workers = new ExplorationThreads()) {
            for (int i = 1; i < threads; i++) {
                Thread worker = new Thread(workers::makeRuns, "suggest");
                worker.setDaemon(true);
                worker.start();
            }
            return explore(new ScenarioExploration(one, null).sharedAmong(workers));
        }
    }

    private ExplorationResult explore(ScenarioExploration exploration) {
        return exploration.explore(all -> all.atMostNanos(clock, Math.max(1, leftNanos())));
    }
}
