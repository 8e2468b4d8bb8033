// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.FootprintCheck;
import dev.verbatim.testing.Tries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What exploration leaves out of shipped scenarios are orders that nobody can tell apart. */
class LitmusFootprintsTest {

    private static final int RUNS = Tries.of("litmus.footprints", 2, 24, 24);
    private static final int STRIDE = 8;

    static Stream<Path> files() {
        return ShippedFiles.all().stream();
    }

    static String outcome(Scenario scenario, Schedule schedule) {
        try (SimulatedRun run = new SimulatedRun(scenario, schedule, SimulationOptions.TIMELESS, event -> {})) {
            return run.play().outcome().toString();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void stepsThatDoNotTouchEachOtherMayChangePlaces(Path file) throws IOException {
        Scenario scenario = ScenarioReader.read(file).scenario();
        // Looks that find nothing are easily forgotten, and these programs are short.
        int stride = Files.readString(file).contains("poll:") ? 1 : STRIDE;
        for (OpenChoices openChoices :
                new OpenChoices[] {OpenChoices.LEGAL, OpenChoices.LEGAL.without(ChoicePoint.ARRIVAL)}) {
            FootprintCheck check = new FootprintCheck(openChoices, schedule -> outcome(scenario, schedule));
            for (int seed = 0; seed < RUNS; seed++) {
                assertThat(check.difference(seed * 101L, seed % stride, stride)).isNull();
            }
        }
    }
}
