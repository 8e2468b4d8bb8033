// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.sim.Explored;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An exploration whose executions a sanitizer watches. */
class SanitizedExplorationTest {

    @Test
    void executionsThatEndAlikeAreOneOutcomeWhileItLastsToo() {
        Scenario scenario = ShippedFiles.all().stream()
                .filter(file -> file.endsWith("LT-11.yaml"))
                .map(file -> ScenarioReader.read(file).scenario())
                .findFirst()
                .orElseThrow();
        List<Explored> reports = new ArrayList<>();
        ExplorationResult result = new ScenarioExploration(scenario, null)
                .sanitize(true)
                .reporting(2, reports::add)
                .explore(all -> all.sampling(10).atMostExecutions(400));

        assertThat(reports).isNotEmpty();
        for (Explored soFar : reports) {
            assertThat(soFar.outcomes().keySet())
                    .isSubsetOf(result.explored().outcomes().keySet());
            assertThat(soFar.sampled().keySet())
                    .isSubsetOf(result.explored().sampled().keySet());
        }
    }
}
