// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Forbidden;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.sim.Explored;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * What the exploration of a scenario found, held against what the scenario says.
 *
 * @param scenario the scenario
 * @param explored the figures
 * @param results one result for each outcome
 * @param found what a sanitizer found, each once; empty without one
 * @param discarded how many executions count for nothing, since something that is assumed does not hold
 */
public record ExplorationResult(
        Scenario scenario,
        Explored explored,
        SortedMap<String, ScenarioRun.Result> results,
        List<SeenFinding> found,
        long discarded) {

    /**
     * One way in which the scenario ended.
     *
     * @param outcome what registers and words held
     * @param count in how many executions
     * @param example the choices of one of them
     * @param isSampled whether only runs with seeds ended so, which {@code count} is the number of
     * @param failures what was not as the scenario says; empty if the outcome is allowed
     */
    public record Ending(Outcome outcome, long count, ChoiceList example, boolean isSampled, List<Failure> failures) {

        /** Whether the scenario allows it. */
        public boolean isAllowed() {
            return failures.isEmpty();
        }
    }

    /** Every way in which it ended, in the order of the outcomes; then those in which only runs with seeds did. */
    public List<Ending> endings() {
        return List.copyOf(texts().values());
    }

    /** The same, by the text that distinguishes it from the others. */
    Map<String, Ending> texts() {
        Map<String, Ending> endings = new LinkedHashMap<>();
        explored.outcomes().forEach((text, seen) -> addEnding(text, seen, false, endings));
        explored.onlySampled().forEach((text, seen) -> addEnding(text, seen, true, endings));
        return endings;
    }

    private void addEnding(String text, Explored.Outcome seen, boolean isSampled, Map<String, Ending> endings) {
        ScenarioRun.Result result = results.get(text);
        if (result != null) {
            List<Failure> failures = new ArrayList<>(result.failures());
            if (failures.isEmpty()) {
                ScenarioRun.judge(scenario, result.outcome(), failures);
            }
            endings.put(text, new Ending(result.outcome(), seen.count(), seen.example(), isSampled, failures));
        }
    }

    /** What is allowed, but was not seen. Nothing where nothing is said of what is allowed. */
    public Set<Outcome> missing() {
        Set<Outcome> missing = new LinkedHashSet<>();
        for (OutcomePattern pattern : scenario.allowed()) {
            for (Outcome outcome : pattern.each()) {
                boolean seen = results.values().stream()
                        .anyMatch(result ->
                                result.outcome().only(outcome.values().keySet()).equals(outcome));
                if (!seen) {
                    missing.add(outcome);
                }
            }
        }
        return missing;
    }

    /** What is forbidden, and was not seen either. */
    public List<Forbidden> neverSeen() {
        return scenario.forbidden().stream()
                .filter(forbidden -> results.values().stream()
                        .noneMatch(result -> forbidden.outcome().matches(result.outcome())))
                .toList();
    }

    /**
     * Whether everything that was seen is allowed, and everything allowed was seen, if nothing was left out; and a sanitizer found no
     * error.
     */
    public boolean isGood() {
        return endings().stream().allMatch(Ending::isAllowed)
                && found.stream().noneMatch(seen -> seen.finding().isError())
                && (!explored.isComplete() || missing().isEmpty());
    }
}
