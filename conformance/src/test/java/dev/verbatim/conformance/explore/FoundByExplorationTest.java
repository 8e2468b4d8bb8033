// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.fabric.Choices;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that random ones were shrunk to when they found mistakes of this device, or of what runs them: they find them no more. */
class FoundByExplorationTest {

    private static final int SEEDS = 250;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "older-result-under-a-write-under-an-atomic",
                "read-of-nothing-as-a-flush",
                "half-sent-message-of-uc-that-is-flushed",
                "shared-receive-taken-in-err",
                "later-read-fetched-before-an-atomic-write",
                "signal-of-a-device-that-crashed"
            })
    void whatExplorationFoundStaysMended(String name) throws IOException, URISyntaxException {
        Path file = Path.of(Objects.requireNonNull(getClass().getResource(name + ".yaml"), name)
                .toURI());
        Scenario scenario = ScenarioReader.read(file).scenario();
        for (long seed = 0; seed < SEEDS; seed++) {
            ProgramResult executed = ProgramRun.run(scenario, Choices.seeded(seed));

            assertThat(executed.failures()).as("seed=%d", seed).isEmpty();
        }
    }
}
