// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.fabric.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
     * Prepares a search.
     *
     * @param mostNanos how long it may take
     */
    public CureSearch(Scenario scenario, OutcomePattern outcome, Clock clock, long mostNanos) {
        this.scenario = scenario;
        this.outcome = outcome;
        this.clock = clock;
        this.endNanos = clock.nanoTime() + mostNanos;
    }

    /** Searches. */
    public Answer find() {
        ExplorationResult original = explore(scenario);
        boolean isSeen = original.endings().stream().anyMatch(ending -> outcome.matches(ending.outcome()));
        if (!original.explored().isComplete()) {
            return new Answer(isSeen ? true : null, List.of(), false);
        }
        Set<Outcome> known = original.endings().stream()
                .filter(CureSearch::hasNoFailedStep)
                .map(ExplorationResult.Ending::outcome)
                .collect(Collectors.toSet());
        List<Change> changes = new ArrayList<>();
        for (List<Edit> together : isSeen ? additions() : removals(known)) {
            if (!changes.isEmpty() && changes.get(0).cost() != cost(together)) {
                break;
            }
            Change change = isInTime ? tried(together, known) : null;
            if (change != null) {
                changes.add(change);
            }
        }
        return new Answer(isSeen, changes, isInTime);
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
        List<Edit> each = Removals.of(scenario).stream()
                .filter(edit -> tried(List.of(edit), known) != null)
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

    /** The change, if it is as it has to be; null otherwise. */
    private @Nullable Change tried(List<Edit> edits, Set<Outcome> known) {
        ScenarioDraft draft = new ScenarioDraft(scenario);
        edits.forEach(edit -> edit.change().accept(draft));
        Scenario changed = draft.scenario();
        if (!isValid(changed) || !Boolean.FALSE.equals(permits(changed))) {
            return null;
        }
        ExplorationResult result = explore(changed);
        boolean isRight =
                result.explored().isComplete() && result.endings().stream().allMatch(ending -> isKnown(ending, known));
        return isRight
                ? new Change(
                        edits.stream().map(Edit::what).toList(),
                        cost(edits),
                        draft.lines(),
                        changed,
                        result.explored().executions())
                : null;
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
        long left = endNanos - clock.nanoTime();
        isInTime &= left > 0;
        return Math.max(1, left);
    }

    private @Nullable Boolean permits(Scenario changed) {
        Boolean permits = new ScenarioExploration(changed, null).permits(outcome, clock, leftNanos());
        isInTime &= permits != null;
        return permits;
    }

    private ExplorationResult explore(Scenario one) {
        ExplorationResult result =
                new ScenarioExploration(one, null).explore(all -> all.atMostNanos(clock, leftNanos()));
        isInTime &= result.explored().isComplete();
        return result;
    }
}
