// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.fabric.Clock;
import dev.verbatim.sim.Explored;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A test with the outcomes that it has, found by running it in every way.
 *
 * @param test the test
 * @param isPermitted whether its condition is among the outcomes
 * @param rules that forbid the condition, as the ordering model says; empty if it is permitted, or CPUs alone forbid it
 * @param outcomes all that it has, in their order
 * @param explored the figures of the exploration
 * @param yaml the text of a scenario file with the outcomes as its expectation
 */
public record GeneratedTest(
        LitmusTest test,
        boolean isPermitted,
        List<String> rules,
        List<Outcome> outcomes,
        Explored explored,
        String yaml) {

    /** Copies the lists. */
    public GeneratedTest {
        rules = List.copyOf(rules);
        outcomes = List.copyOf(outcomes);
    }

    /**
     * Explores a test.
     *
     * @param mostNanos how long that may take
     * @throws IllegalStateException if that does not suffice, or the device and the ordering model differ on the condition
     */
    public static GeneratedTest of(LitmusTest test, Clock clock, long mostNanos) {
        TestText text = new TestText(test);
        OutcomePattern condition = new OutcomePattern(test.condition().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue()))));
        String open = text.yaml(List.of(), List.of(new Outcome(test.condition())), false);
        ExplorationResult found = new ScenarioExploration(
                        ScenarioReader.read(test.name(), open).scenario(), null)
                .explore(all -> all.atMostNanos(clock, mostNanos));
        if (!found.explored().isComplete()) {
            throw new IllegalStateException(test + " has more executions than could be run in "
                    + mostNanos / 1_000_000_000 + " s: " + found.explored().stop() + "; give more --seconds");
        }
        if (!found.results().values().stream().allMatch(ScenarioRun.Result::isGood)) {
            throw new IllegalStateException(test + ": a step fails: " + found.endings());
        }
        List<Outcome> outcomes =
                found.endings().stream().map(ExplorationResult.Ending::outcome).toList();
        boolean isPermitted = outcomes.stream().anyMatch(condition::matches);
        List<String> rules = OrderingModel.forbidding(test);
        if (isPermitted != (rules == null)) {
            throw new IllegalStateException(test + ": the device " + (isPermitted ? "permits" : "forbids") + " "
                    + test.conditionText() + ", and the rules "
                    + (rules == null ? "permit it" : "forbid it by " + rules)
                    + "; one of them is wrong");
        }
        List<String> forbidding = Objects.requireNonNullElse(rules, List.of());
        return new GeneratedTest(
                test,
                isPermitted,
                forbidding,
                outcomes,
                found.explored(),
                text.yaml(forbidding, outcomes, !isPermitted));
    }

    /** Such as {@code forbidden by ORD-11, ORD-12}. */
    public String verdict() {
        if (isPermitted) {
            return "permitted";
        }
        return "forbidden" + (rules.isEmpty() ? "" : " by " + String.join(", ", rules));
    }
}
