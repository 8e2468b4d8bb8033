// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.conformance.windows.trial.Trial;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.AccessFlags;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs come to whatever the model can say, and failures are told in few lines. */
class ProgramsTest {

    private static final int ENOUGH = 60;
    private static final int ENOUGH_FOR_THE_SELDOM = 200;

    /** Whatever the model gives as a reason. */
    private static final List<String> RULES = List.of(
            "KEY-04", "MR-03", "MR-12", "MR-22", "MR-41", "MR-50", "MR-56", "MW-03", "MW-06", "MW-10", "MW-100",
            "MW-101", "MW-102", "MW-103", "MW-104", "MW-105", "MW-106", "MW-107", "MW-108", "MW-109", "MW-11", "MW-112",
            "MW-12", "MW-13", "MW-14", "MW-17", "MW-23", "MW-25", "MW-33", "MW-41", "MW-43", "MW-45", "MW-46", "MW-47",
            "MW-48", "MW-49", "MW-50", "MW-51", "MW-52", "MW-57", "MW-58", "MW-60", "MW-80", "MW-81", "MW-82", "MW-84",
            "MW-85", "MW-87", "MW-95", "PD-01", "QP-05", "QP-20", "QP-21", "QP-22", "QP-23", "WC-20", "WC-22", "WC-35",
            "WC-36", "WR-31");

    /** It judges the programs, which change seldom, and is one of the slowest. */
    @Test
    void programsReachEveryOutcomeOfTheModel() {
        assumeTrue(Tries.isLong(), "made by .ci/run");
        Tally tally = new Tally();
        List<Program> programs = Programs.first(ENOUGH_FOR_THE_SELDOM);
        programs.forEach(program -> Trial.run("STRICT_2B", program, tally));
        for (String conduct : List.of("STRICT_2A", "ORPHANS", "LENIENT", "OBLIGING", "FRUGAL")) {
            programs.stream().limit(ENOUGH).forEach(program -> Trial.run(conduct, program, tally));
        }
        assertThat(tally.rules()).containsExactlyInAnyOrderElementsOf(RULES);
    }

    @Test
    void programIsPrintedOneLineForEachStep() {
        Thing w2 = new Thing(true, 2);
        KeyWord key = new KeyWord(w2, KeyWord.Twist.NONE, 0);
        Program program = new Program(List.of(
                new Step.Bind(2, 2, false, false, 1, 64, 64, AccessFlags.REMOTE_WRITE, 0x41, false),
                new Step.Access(
                        3, Operation.WRITE, key, new Spot(w2, Spot.Edge.BEYOND_END), 8, Step.Receiving.ROOM, true)));
        assertThat(program)
                .hasToString("\n  qp2: bind w2 to m1[64,128) REMOTE_WRITE, key ..41, unsignaled"
                        + "\n  qp3: WRITE of 8 bytes up to the byte behind w2 by the key of w2");
    }

    @Test
    void shrinkingLeavesWhatIsNeeded() {
        List<Step> needed = List.of(new Step.Deallocate(3), new Step.Deregister(2));
        Program large = Programs.first(1).get(0);
        Program both = new Program(
                Stream.concat(large.steps().stream(), needed.stream()).toList());
        Mismatch small = Shrinking.shrink(failure(both), program -> {
            if (program.steps().containsAll(needed)) {
                throw failure(program);
            }
        });
        assertThat(small.program().steps()).containsExactlyElementsOf(needed);
        assertThat(small).hasMessageContaining("\n  deallocate w3\n  deregister m2\n    -> they differ");
    }

    private static Mismatch failure(Program program) {
        return new Mismatch(program, "they differ", new AssertionError());
    }
}
