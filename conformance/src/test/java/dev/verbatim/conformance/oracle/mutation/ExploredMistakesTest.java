// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.WcOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs find mistakes of an engine soon, and what is left of such a program is small and shows it again. */
class ExploredMistakesTest {

    private static final int MOST_PROGRAMS = 150;
    private static final int MOST_TRIES = 3_000;
    private static final int MOST_POSTS = 3;

    /** The first so many mistakes of each kind are looked for. */
    private static final int LOOKED_FOR = Tries.of("mutations.explored", 1, 100, 100);

    /** Mistakes that keep nothing from one call to the next, so that each run of a program shows them alike. */
    private static final List<String> MISTAKES = List.of(
            "a fenced request does not wait",
            "a key that was revoked works still",
            "a repeated atomic is done again",
            "a READ completes before programs see its result",
            "a bind takes no effect",
            "a LOCAL_INV takes no effect",
            "a SEND_WITH_INV does not invalidate",
            "a window that was unbound can still be used",
            "the range of a window is that of its region",
            "a window of type 2 is used over any queue pair");

    private static final List<String> MISTAKES_OF_OTHER_TYPES = List.of(
            "the event of a limit comes when as many are left",
            "a queue pair in ERR does not say that it takes no more shared receives");

    private static final int FEW_TRIES = 20;

    /** The trace has such a completion, so that the oracle is content. */
    private static final Mutation LOST = Mutation.forbidden(
                    "a receive completes, but nobody sees it", Check.ONE_COMPLETION, "")
            .in(
                    "cq.EmulatedCompletionQueue.add/11",
                    call -> ((WcOpcode) call.arguments()[3]).isReceive() ? Call.answer(null) : Call.goOn());

    private static final Mutation LEAK = Mutation.forbidden(
                    "a queue pair keeps its protection domain busy when it is gone", Check.ONE_COMPLETION, "")
            .in(
                    "context.PdIdentity.countQueuePairs/1",
                    call -> (int) call.arguments()[0] < 0 ? Call.answer(null) : Call.goOn());

    private static final MistakenEngine ENGINE = new MistakenEngine(
            Stream.of(mistakes(), mistakesOfOtherTypes(), Stream.of(LOST, LEAK)).flatMap(mutations -> mutations));

    static Stream<Mutation> someMistakes() {
        return mistakes().limit(LOOKED_FOR);
    }

    static Stream<Mutation> mistakes() {
        return Stream.of(Mutations.TABLE, WindowMutations.TABLE)
                .flatMap(List::stream)
                .filter(mutation -> MISTAKES.contains(mutation.forbidden()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("someMistakes")
    void aMistakeIsFoundSoonAndShrinksToAFewRequests(Mutation mutation) throws ReflectiveOperationException {
        List<?> found = call(
                mutation,
                "dev.verbatim.conformance.explore.FirstFailure",
                "find",
                mutation.expected().rule(),
                MOST_PROGRAMS,
                MOST_TRIES);

        assertThat(found).as("found in %d programs", MOST_PROGRAMS).isNotEmpty();
        assertThat(found.get(1))
                .as("what the file shows again: %s", found)
                .isEqualTo(mutation.expected().rule());
        assertThat((int) found.get(2)).as("requests in %s", found).isLessThanOrEqualTo(MOST_POSTS);
        assertThat((int) found.get(3)).as("choices in %s", found).isLessThanOrEqualTo(4);
    }

    /** With what only UC, UD and shared receives have; these programs are of all types. */
    static Stream<Mutation> mistakesOfOtherTypes() {
        Mutation queueKey = Mutation.forbidden("a datagram with a wrong Q_Key is taken", Check.DATAGRAM_ONCE, "")
                .in("ud.UdResponder.refuse/2", call -> {
                    Object refusal = call.original(call.arguments());
                    return Call.answer(String.valueOf(refusal).contains("Q_Key") ? null : refusal);
                });
        return Stream.concat(
                Stream.of(queueKey),
                TransportMutations.TABLE.stream()
                        .filter(mutation -> MISTAKES_OF_OTHER_TYPES.contains(mutation.forbidden())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakesOfOtherTypes")
    void aMistakeOfAnotherTypeIsFoundSoon(Mutation mutation) throws ReflectiveOperationException {
        List<?> found = call(
                mutation,
                "dev.verbatim.conformance.explore.FirstFailure",
                "findAmongAllTypes",
                mutation.expected().rule(),
                MOST_PROGRAMS,
                FEW_TRIES);

        assertThat(found).as("found in %d programs", MOST_PROGRAMS).isNotEmpty();
    }

    @Test
    void allMistakesOfTheTableBelongToIt() {
        assertThat(mistakes()).hasSameSizeAs(MISTAKES);
        assertThat(mistakesOfOtherTypes()).hasSize(MISTAKES_OF_OTHER_TYPES.size() + 1);
    }

    @Test
    void aCompletionThatTheDeviceMadeAndNoProgramPollsIsMissed() throws ReflectiveOperationException {
        assertThat(found(LOST, "completions")).startsWith("completions");
    }

    @Test
    void aQueuePairThatIsGoneAndStillCountedIsMissedAtTheEnd() throws ReflectiveOperationException {
        assertThat(found(LEAK, "leak")).startsWith("leak");
    }

    private static List<Object> found(Mutation mutation, String kind) throws ReflectiveOperationException {
        List<Object> found = new ArrayList<>(call(
                mutation, "dev.verbatim.conformance.explore.FirstFailure", "find", kind, MOST_PROGRAMS, MOST_TRIES));
        assertThat(found).isNotEmpty();
        found.remove(0);
        return found;
    }

    private static List<?> call(Mutation mutation, String className, String methodName, Object... arguments)
            throws ReflectiveOperationException {
        return ENGINE.call(mutation, className, methodName, arguments);
    }
}
