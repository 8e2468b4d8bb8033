// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.Check;
import dev.verbatim.conformance.oracle.Gap;
import dev.verbatim.conformance.oracle.WeakBehaviour;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The exploration that every build makes: random programs under adversity, of which nothing is forbidden. */
class ExplorerTest {

    private static final long SEED = 1;
    private static final int PROGRAMS = 8_000;
    /** Random programs are of RC queue pairs; other tests have traffic over the other transports judged. */
    private static final EnumSet<Check> OF_OTHER_TRANSPORTS =
            EnumSet.of(Check.WHOLE_MESSAGE, Check.DATAGRAM_ONCE, Check.SHARED_RECEIVE_ONCE, Check.SHARED_RECEIVE_LIMIT);

    /** Random programs bring queue pairs up in one step, look for no event, and have no channels; litmus programs do. */
    private static final EnumSet<ChoicePoint> OF_OTHER_PROGRAMS = EnumSet.of(
            ChoicePoint.ASYNC_EVENT,
            ChoicePoint.COMMUNICATION_ESTABLISHED,
            ChoicePoint.EVENT_MERGE,
            ChoicePoint.SPURIOUS_EVENT);

    private static final ExploreFigures FIGURES = new ExploreFigures();
    private static final List<String> WRONG = new ArrayList<>();

    @BeforeAll
    static void explore() {
        new Explorer(SEED).runAll(PROGRAMS, 1, 1, (number, program, executed) -> {
            FIGURES.add(program, executed);
            if (!executed.isGood()) {
                WRONG.add("./verbatim explore --seed " + SEED + " --program " + number + ": " + executed.troubles());
            }
            return true;
        });
        System.out.println(FIGURES.tally());
        System.out.println("median program: " + FIGURES.median(ProgramFigures::queuePairs) + " queue pairs, "
                + FIGURES.median(ProgramFigures::requests) + " requests, " + FIGURES.median(ProgramFigures::features)
                + " of READ, ATOMIC, fence, bind, revocation");
    }

    @Test
    void nothingThatRandomProgramsDoUnderAdversityIsWrong() {
        assertThat(WRONG).isEmpty();
        assertThat(FIGURES.programs()).isEqualTo(PROGRAMS);
    }

    @Test
    void everyChoicePointIsTakenOftenEnoughAtAnotherAlternativeThanTheFirst() {
        assertThat(FIGURES.tooSeldom())
                .as("points that were not taken %d times; %s", ExploreFigures.ENOUGH_DEVIATIONS, FIGURES.tally())
                .isSubsetOf(OF_OTHER_PROGRAMS);
    }

    @Test
    void theMedianProgramIsLargeEnoughToMeanSomething() {
        assertThat(FIGURES.median(ProgramFigures::queuePairs)).isGreaterThanOrEqualTo(2);
        assertThat(FIGURES.median(ProgramFigures::requests)).isGreaterThanOrEqualTo(8);
        assertThat(FIGURES.median(ProgramFigures::features)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void everyCheckIsMadeAndEveryWeakBehaviourIsSeen() {
        assertThat(EnumSet.complementOf(OF_OTHER_TRANSPORTS))
                .allSatisfy(check -> assertThat(FIGURES.checks().getOrDefault(check, 0L))
                        .as(check.name())
                        .isPositive());
        assertThat(FIGURES.weakBehaviours()).containsKeys(WeakBehaviour.values());
    }

    @Test
    void nothingIsLeftUnjudgedButWhatADeviceThatCrashedLeftBehind() {
        assertThat(FIGURES.gaps().keySet()).isSubsetOf(Gap.PEER_NOT_TRACED);
    }

    @Test
    void shardsShareTheProgramsAmongThem() {
        List<Integer> numbers = new ArrayList<>();
        for (int shard = 1; shard <= 3; shard++) {
            new Explorer(SEED).runAll(7, shard, 3, (number, program, executed) -> numbers.add(number));
        }

        assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void theSameSeedMakesTheSameProgramsAndAnotherMakesOthers() {
        List<Scenario> programs = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            Scenario program = new Explorer(SEED).program(number);
            assertThat(new Explorer(SEED).program(number)).isEqualTo(program);
            assertThat(new Explorer(SEED + 1).program(number)).isNotEqualTo(program);
            programs.add(program);
        }
        assertThat(programs).doesNotHaveDuplicates();
    }
}
