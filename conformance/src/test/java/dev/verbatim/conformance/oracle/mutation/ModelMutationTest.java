// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.mutation.ModelMutation.Mutant;
import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Programs;
import dev.verbatim.conformance.windows.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs find each mistake that a device makes with windows. */
class ModelMutationTest {

    private static final int MOST_PROGRAMS = 60;
    private static final int GENERATION_SIZE = 1000;
    private static final List<Program> PROGRAMS = new ArrayList<>();

    @BeforeAll
    static void draw() {
        JqwikSession.run(() -> {
            RandomGenerator<Program> generator = Programs.any().generator(GENERATION_SIZE);
            Random random = new Random(4);
            for (int i = 0; i < MOST_PROGRAMS; i++) {
                PROGRAMS.add(generator.next(random).value());
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    void randomProgramsFindTheMistake(ModelMutation mutation) throws ReflectiveOperationException {
        Mutant mutant = mutation.load();
        Tally tally = new Tally();
        long t = System.nanoTime();
        Mismatch found = mutation.firstOf(mutant, PROGRAMS, tally);
        System.out.println("| " + mutation + " | " + tally.steps() + " " + (System.nanoTime() - t) / 1000000 + " ms | "
                + (found == null ? "NOT FOUND" : found.getMessage().replaceAll("(?s).*-> ", "")));
        assertThat(found).isNotNull();
    }

    static Stream<ModelMutation> mutations() {
        return ModelMutations.TABLE.stream();
    }
}
