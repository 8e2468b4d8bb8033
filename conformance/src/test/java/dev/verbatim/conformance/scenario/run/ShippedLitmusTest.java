// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The litmus programs have exactly the outcomes that their files allow. */
class ShippedLitmusTest {

    private static final long MOST = 200_000;

    static Stream<Path> litmusFiles() {
        return ShippedFiles.all().stream()
                .filter(file -> file.getFileName().toString().startsWith("LT-"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("litmusFiles")
    void litmusProgramHasExactlyTheAllowedOutcomes(Path file) {
        Scenario scenario = ScenarioReader.read(file).scenario();
        Findings findings = new ScenarioExploration(scenario, null).explore(all -> all.atMostExecutions(MOST));

        assertThat(findings.endings()).as(findings.explored().toString()).allMatch(Findings.Ending::isAllowed);
        assertThat(findings.explored().stop()).isNull();
        assertThat(findings.missing()).isEmpty();
    }
}
