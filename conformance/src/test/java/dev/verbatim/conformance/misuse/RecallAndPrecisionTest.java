// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.testing.Tries;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sanitizer finds something in each program that has a mistake, and nothing in the others. */
class RecallAndPrecisionTest {

    private static final int SEEDS = Tries.of("misuse.seeds", 2, 5, 100);
    private static final int EVERY = Tries.of("misuse.cases", 9, 1, 1);
    private static final int RANDOM = Tries.of("misuse.programs", 4, 12, 200);

    /** Of the walks through a random program; a program of the group that needs more is skipped. */
    private static final long MOST_EXECUTIONS = 4_000;

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"gaspi", "verbs", "silent"})
    void sanitizerAgreesWithTheLabels(String group) {
        Tally tally = new Tally(group);
        List<MisuseCase> cases = MisuseCase.of(group);
        for (int i = 0; i < cases.size(); i += EVERY) {
            MisuseCase each = cases.get(i);
            tally.add(each.toString(), each.label(), Verdict.of(each::scenario, SEEDS));
        }

        print(List.of(tally));
        assertThat(tally.differences()).as(tally.toString()).isEmpty();
    }

    @Test
    void sanitizerAgreesWithTheLabelsOfRandomPrograms() {
        Tally tally = new Tally("random");
        int programs = 0;
        for (long seed = 1; programs < RANDOM; seed++) {
            MistakenProgram program = MistakenPrograms.draw(seed);
            Label whole = label(program.clean());
            if (whole != Label.NO) {
                tally.skip();
                continue;
            }
            Label less = label(program.mistaken());
            if (less == null) {
                tally.skip();
                continue;
            }
            programs++;
            tally.add(program + ", clean", whole, verdict(program.clean()));
            tally.add(program.toString(), less, verdict(program.mistaken()));
        }

        print(List.of(tally));
        assertThat(tally.differences()).as(tally.toString()).isEmpty();
    }

    private static @Nullable Label label(String text) {
        return ComputedLabel.of(read(text), MOST_EXECUTIONS).label();
    }

    private static Verdict verdict(String text) {
        return Verdict.of(() -> read(text), SEEDS);
    }

    private static Scenario read(String text) {
        return ScenarioReader.read("random.yaml", text).scenario();
    }

    private static void print(List<Tally> tallies) {
        System.out.println(Tally.head());
        tallies.forEach(System.out::println);
    }
}
