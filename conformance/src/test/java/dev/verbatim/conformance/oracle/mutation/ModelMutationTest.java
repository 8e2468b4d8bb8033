// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Programs;
import dev.verbatim.conformance.windows.Tally;
import dev.verbatim.testing.Tries;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs of windows, held to the reference model, find each mistake that a device makes. */
class ModelMutationTest {

    /** Every so many mistakes are made. */
    private static final int EVERY = Tries.of("mutations.model.every", 6, 1, 1);

    private static final int MOST_PROGRAMS = 60;
    private static final List<Program> PROGRAMS = Programs.first(MOST_PROGRAMS);
    private static final ClassLoader ENGINE = new MutantLoader(mutations().map(ModelMutation::method));

    @ParameterizedTest(name = "{0}")
    @MethodSource("some")
    void randomProgramsFindTheMistake(ModelMutation mutation) throws ReflectiveOperationException {
        Tally tally = new Tally();
        Mismatch found = mutation.find(ENGINE, PROGRAMS, tally);
        assertThat(found)
                .as("found in %d steps of %d programs", tally.steps(), MOST_PROGRAMS)
                .isNotNull();
    }

    static Stream<ModelMutation> some() {
        return IntStream.range(0, ModelMutations.TABLE.size())
                .filter(row -> row % EVERY == 0)
                .mapToObj(ModelMutations.TABLE::get);
    }

    private static Stream<ModelMutation> mutations() {
        return ModelMutations.TABLE.stream();
    }
}
