// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The oracle finds each mistake that an engine makes, by the rule that it breaks, and none where there is none. */
class MutationTest {

    private static final int MOST_RUNS = 40;

    /** What is right is shown by far more runs elsewhere; these show that the copied engine is right still. */
    private static final int RUNS_WITHOUT = 4;

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    void theOracleFindsTheMistake(Supplier<Mutation> made) throws ReflectiveOperationException {
        ClassLoader engine = made.get().copyOfEngine();
        for (long seed = 0; seed < MOST_RUNS; seed++) {
            Mutation mutation = made.get();
            Verdict verdict = mutation.judge(engine, seed);
            if (verdict.violations().stream().map(Violation::check).anyMatch(mutation.expected()::equals)) {
                return;
            }
        }
        throw new AssertionError(made.get() + ": not reported in " + MOST_RUNS
                + " runs; in the last the method was called " + Mistakes.made() + " times");
    }

    private static Stream<Supplier<Mutation>> table() {
        return Stream.of(Mutations.TABLE, WindowMutations.TABLE, TransportMutations.TABLE)
                .flatMap(List::stream);
    }

    static Stream<Named<Supplier<Mutation>>> mutations() {
        return table().map(made -> named(made.get().toString(), made));
    }

    /** Each program once, on an engine that was copied as for the first mutation that runs it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void theOracleFindsNothingWithoutTheMistake(Mutation mutation) throws ReflectiveOperationException {
        ClassLoader engine = mutation.copyOfEngine();
        for (long seed = 0; seed < RUNS_WITHOUT; seed++) {
            Verdict verdict = mutation.judgeWithout(engine, seed);
            assertThat(verdict.violations()).as("seed=%d: %s", seed, verdict).isEmpty();
        }
    }

    @Test
    void everyCheckHasAMistakeThatItFinds() {
        assertThat(table().map(made -> made.get().expected())).contains(Check.values());
    }

    static Stream<Named<Mutation>> programs() {
        Map<String, Mutation> programs = new TreeMap<>();
        for (Supplier<Mutation> made : table().toList()) {
            Mutation mutation = made.get();
            programs.putIfAbsent(mutation.program(), mutation);
        }
        return programs.entrySet().stream().map(entry -> named(entry.getKey(), entry.getValue()));
    }
}
