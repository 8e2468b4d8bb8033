// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.testing.Tries;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The oracle finds each mistake that an engine makes, by the rule that it breaks, and none where there is none. */
class MutationTest {

    private static final int MOST_RUNS = 40;

    /** What is right is shown by far more runs elsewhere; these show that the copied engine is right still. */
    private static final int RUNS_WITHOUT = Tries.of("mutations.without", 1, 4, 4);

    /** Every so many mistakes are made. */
    private static final int EVERY = Tries.of("mutations.every", 12, 1, 1);

    /** One copy for all mistakes, since most of the time of a run goes into classes that were never run before. */
    private static final ClassLoader ENGINE = new MutantLoader(table().map(Mutation::method));

    @ParameterizedTest(name = "{0}")
    @MethodSource("some")
    void theOracleFindsTheMistake(Mutation mutation) throws ReflectiveOperationException {
        for (long seed = 0; seed < MOST_RUNS; seed++) {
            Verdict verdict = mutation.judge(ENGINE, seed);
            if (verdict.violations().stream().map(Violation::check).anyMatch(mutation.expected()::equals)) {
                return;
            }
        }
        throw new AssertionError(mutation + ": not reported in " + MOST_RUNS
                + " runs; in the last the method was called " + Mistakes.made() + " times");
    }

    static Stream<Mutation> some() {
        List<Mutation> table = table().toList();
        return IntStream.range(0, table.size()).filter(i -> i % EVERY == 0).mapToObj(table::get);
    }

    static Stream<Mutation> table() {
        return Stream.of(Mutations.TABLE, WindowMutations.TABLE, TransportMutations.TABLE)
                .flatMap(List::stream);
    }

    /** Each program once, as the first mutation runs it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void theOracleFindsNothingWithoutTheMistake(Mutation mutation) throws ReflectiveOperationException {
        for (long seed = 0; seed < RUNS_WITHOUT; seed++) {
            Verdict verdict = mutation.judgeWithout(ENGINE, seed);
            assertThat(verdict.violations()).as("seed=%d: %s", seed, verdict).isEmpty();
        }
    }

    @Test
    void everyCheckHasAMistakeThatItFinds() {
        assertThat(table().map(Mutation::expected))
                .containsAll(Stream.of(Check.values())
                        .filter(check -> !check.isOfPeer())
                        .toList());
    }

    static Stream<Named<Mutation>> programs() {
        Map<String, Mutation> programs = new TreeMap<>();
        table().forEach(mutation -> programs.putIfAbsent(mutation.program(), mutation));
        return programs.entrySet().stream().map(entry -> named(entry.getKey(), entry.getValue()));
    }
}
