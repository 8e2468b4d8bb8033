// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.FootprintCheck;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.SendFlags;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What may be read in parts shows a mixture where parts may wait, and only there; words, atomics and inline data never do. */
@Rule({"ORD-35", "ORD-40", "N18"})
class SplitReadTest {

    private static final int CHECKED = Tries.of("footprints.parts", 5, 80, 800);

    private static final OpenChoices STEPS =
            OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.REQUEST, ChoicePoint.ARRIVAL, ChoicePoint.READ_FETCH);
    private static final OpenChoices GATHERS = STEPS.with(ChoicePoint.GATHER_SPLIT);
    private static final OpenChoices FETCHES = STEPS.with(ChoicePoint.FETCH_SPLIT);
    private static final OpenChoices BOTH = GATHERS.with(ChoicePoint.FETCH_SPLIT);

    private static final String OLD = "x=1 y=1";
    private static final String BETWEEN = "x=1 y=2";
    private static final String NEW = "x=2 y=2";
    private static final String MIXTURE = "x=2 y=1";

    @Test
    void sourceOfAWriteIsMixedOnlyInParts() {
        assertThat(outcomes(STEPS, SplitLitmus::sourceOfAWrite)).containsExactlyInAnyOrder(OLD, BETWEEN, NEW);
        assertThat(outcomes(GATHERS, SplitLitmus::sourceOfAWrite))
                .containsExactlyInAnyOrder(OLD, BETWEEN, NEW, MIXTURE);
        RuleCoverage.assertOutcome();
    }

    @Test
    void elementsOfASendAreMixedOnlyInParts() {
        Function<LitmusPair, String> send = pair -> SplitLitmus.elementsOfASend(pair, 8, 0);
        assertThat(outcomes(STEPS, send)).containsExactlyInAnyOrder(OLD, BETWEEN, NEW);
        assertThat(outcomes(GATHERS, send)).containsExactlyInAnyOrder(OLD, BETWEEN, NEW, MIXTURE);
        RuleCoverage.assertOutcome();
    }

    @Test
    void wordsOfAReadAreMixedOnlyInParts() {
        assertThat(outcomes(STEPS, SplitLitmus::twoWordsOfARead)).containsExactlyInAnyOrder(OLD, BETWEEN, NEW);
        assertThat(outcomes(FETCHES, SplitLitmus::twoWordsOfARead))
                .containsExactlyInAnyOrder(OLD, BETWEEN, NEW, MIXTURE);
        RuleCoverage.assertOutcome();
    }

    /** Its memory is not even read again: the same runs happen where parts may wait, and none more. */
    @Test
    @Rule("ORD-14")
    void inlineDataIsNeverSplit() {
        Function<LitmusPair, String> inline = pair -> SplitLitmus.elementsOfASend(pair, 8, SendFlags.INLINE);
        Explored inParts = explored(BOTH, inline);
        assertThat(inParts.outcomes()).containsOnlyKeys(OLD);
        assertThat(inParts.executions()).isEqualTo(explored(STEPS, inline).executions());
        RuleCoverage.assertOutcome();
    }

    /** Words are those of memory, not those of the request. */
    @Test
    @Rule("ORD-37")
    void alignedWordIsNotTornByAReadThatBeginsWithinOne() {
        assertThat(outcomes(BOTH, SplitLitmus::threeWordsOfARead)).containsExactlyInAnyOrder("1", Long.toHexString(-1));
        RuleCoverage.assertOutcome();
    }

    @Test
    @Rule("ORD-37")
    void wordsAndAtomicsAreReadInOnePiece() {
        OpenChoices turns = BOTH.without(ChoicePoint.REQUEST).without(ChoicePoint.ARRIVAL);
        assertThat(outcomes(turns, SplitLitmus::wholeWords))
                .hasSizeGreaterThan(2)
                .allMatch(each -> each.matches("(0|-1)(0|-1)(0|-1)"));
        RuleCoverage.assertOutcome();
    }

    /** A part looks at the key by which it is read, and at what it is for. */
    @Test
    void partsThatChangePlacesWithWhatTheyDoNotTouchReadTheSame() {
        for (OpenChoices openChoices : new OpenChoices[] {BOTH, BOTH.without(ChoicePoint.REQUEST)}) {
            FootprintCheck check = new FootprintCheck(openChoices, schedule -> {
                try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                    return SplitLitmus.endsOfRegions(new LitmusPair(simulation));
                }
            });
            for (long seed = 0; seed < CHECKED; seed++) {
                assertThat(check.difference(seed, 0, 1)).isNull();
            }
        }
    }

    /** Behind a request that is flushed nothing has silently succeeded (ORD-10). */
    @Test
    @Rule({"QP-22", "ORD-10"})
    void unsignaledRequestBehindOneThatIsFlushedIsFlushedToo() {
        OpenChoices off = OpenChoices.of(ChoicePoint.COMPLETION);
        assertThat(outcomes(off, FlushLitmus::errorBehindAnUnsignaledWrite)).containsExactly("1+3-");
        assertThat(outcomes(off.with(ChoicePoint.EXECUTED_FLUSHED), FlushLitmus::errorBehindAnUnsignaledWrite))
                .containsExactlyInAnyOrder("1+3-", "1+2-3-", "1-2-3-");
        RuleCoverage.assertOutcome();
    }

    /** Whatever has been executed and is not seen to have completed may be flushed, and only where that is a point. */
    @Test
    @Rule({"QP-22", "N8"})
    void executedRequestsAreFlushedOnlyWhereTheyMay() {
        OpenChoices off = OpenChoices.of(ChoicePoint.COMPLETION);
        OpenChoices on = off.with(ChoicePoint.EXECUTED_FLUSHED);
        assertThat(outcomes(off, FlushLitmus::errorBehindAnAtomic)).containsExactly("SUCCESS x=1");
        assertThat(outcomes(on, FlushLitmus::errorBehindAnAtomic))
                .containsExactlyInAnyOrder("SUCCESS x=1", "WR_FLUSH_ERR x=1");
        assertThat(outcomes(off, FlushLitmus::errorBehindAWrite)).containsExactly("SUCCESS x=1");
        assertThat(outcomes(on, FlushLitmus::errorBehindAWrite))
                .containsExactlyInAnyOrder("SUCCESS x=1", "WR_FLUSH_ERR x=1");
        RuleCoverage.assertOutcome();
    }

    private static Set<String> outcomes(OpenChoices openChoices, Function<LitmusPair, String> program) {
        return explored(openChoices, program).outcomes().keySet();
    }

    private static Explored explored(OpenChoices openChoices, Function<LitmusPair, String> program) {
        Explored explored = new Exploration(openChoices).run(schedule -> {
            try (Simulation simulation =
                    new Simulation(schedule, SimulationOptions.TIMELESS).tap(RuleCoverage::observe)) {
                return program.apply(new LitmusPair(simulation));
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored;
    }
}
