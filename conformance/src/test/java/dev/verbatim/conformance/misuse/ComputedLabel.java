// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.run.ExplorationResult;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What a program can end in, by running it in every way that the rules permit.
 *
 * @param label null if the walk was not finished, and all runs of it ended alike
 * @param outcomes what registers and words held at the end; with a second one the walk stops
 * @param executions how many runs there were
 */
record ComputedLabel(@Nullable Label label, Set<String> outcomes, long executions) {

    /** Walks through at most so many runs. */
    static ComputedLabel of(Scenario scenario, long mostExecutions) {
        AtomicBoolean differ = new AtomicBoolean();
        ExplorationResult result = new ScenarioExploration(scenario, null)
                .explore(walk -> walk.atMostExecutions(mostExecutions)
                        .reporting(1, soFar -> differ.set(soFar.outcomes().size() > 1))
                        .atMostNanos(() -> differ.get() ? 2 : 0, 1));
        Set<String> outcomes = result.explored().outcomes().keySet();
        Label label = outcomes.size() > 1 ? Label.YES : result.explored().isComplete() ? Label.NO : null;
        return new ComputedLabel(label, outcomes, result.explored().executions());
    }

    @Override
    public String toString() {
        return (label == null ? "unfinished" : label) + " after " + executions + " executions: "
                + String.join("; ", outcomes);
    }
}
