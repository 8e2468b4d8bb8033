// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Tries;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs are scenarios as anybody could write them. */
class ProgramsAsFilesTest {

    private static final int PROGRAMS = Tries.of("programs.files", 30, 300, 300);

    private static Scenario program(int number) {
        return ProgramMaker.make(2, number, number % 2 == 0 ? PairType.PLAIN : PairType.ALL);
    }

    @Test
    void everyProgramReadsFromItsFileAsItIsAndWaitsForNothingThatCannotCome() {
        for (int number = 0; number < PROGRAMS; number++) {
            Scenario program = program(number);

            Scenario read =
                    ScenarioReader.read("p.yaml", ScenarioWriter.write(program)).scenario();

            assertThat(read).as("program %d", number).isEqualTo(program);
            assertThat(ProgramValidity.of(program)).as("program %d", number).isTrue();
        }
    }

    @Test
    void everyProgramEndsAsFilesDoThatAreRun() {
        for (int number = 0; number < 50; number++) {
            ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM).run(program(number));

            assertThat(result.failures()).as("program %d", number).isEmpty();
        }
    }

    @Test
    void theCanonicalRunOfAProgramTakesOnlyFirstAlternativesAndIsPermitted() {
        for (int number = 0; number < 50; number++) {
            ProgramResult executed = ProgramRun.run(program(number), Choices.canonical());

            assertThat(executed.failures()).as("program %d", number).isEmpty();
            assertThat(executed.choices().deviations()).isEmpty();
            assertThat(executed.verdict().weakBehaviours())
                    .as("program %d: LOCAL_INV waits there, fenced or not (ORD-18)", number)
                    .doesNotContainKey(WeakBehaviour.EARLY_INVALIDATION);
        }
    }

    @Test
    void ofAllItsPartsAProgramIsWhatItWasAndOfNoneItIsEmpty() {
        for (int number = 0; number < PROGRAMS; number++) {
            Scenario program = program(number);
            ProgramParts parts = new ProgramParts(program);

            assertThat(parts.scenario(parts.all())).as("program %d", number).isEqualTo(program);
            assertThat(parts.scenario(List.of()).nodes().values())
                    .allSatisfy(node -> assertThat(node.program()).isEmpty());
        }
    }
}
