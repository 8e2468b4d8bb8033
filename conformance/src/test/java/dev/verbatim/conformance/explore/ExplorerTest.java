// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The exploration that every build makes: random programs under adversity, of which nothing is forbidden. */
class ExplorerTest {

    private static final long SEED = 1;
    /** Half of them are of RC alone, of which there is most to see. */
    private static final int PROGRAMS = Tries.of("explore.programs", 250, 6_000, 100_000);

    private static final int ENOUGH_FOR_RARE_CHOICES = 6_000;
    private static final int JOBS = 2;
    private static final ExploreFigures FIGURES = new ExploreFigures();
    private static final List<String> WRONG = new ArrayList<>();

    @BeforeAll
    static void explore() {
        explore(PairType.PLAIN, " --types rc");
        explore(PairType.ALL, "");
        System.out.println(FIGURES.tally());
        System.out.println("median program: " + FIGURES.medianQueuePairs() + " queue pairs, "
                + FIGURES.medianRequests() + " requests, " + FIGURES.medianFeatures()
                + " of READ, ATOMIC, fence, bind, revocation");
    }

    private static void explore(Set<PairType> types, String option) {
        new Explorer(SEED, types).runAll(PROGRAMS / 2, 1, 1, JOBS, (number, program, executed) -> {
            FIGURES.add(program, executed);
            if (!executed.isGood()) {
                WRONG.add("./verbatim explore --seed " + SEED + option + " --program " + number + ": "
                        + executed.failures());
            }
            return true;
        });
    }

    @Test
    void nothingThatRandomProgramsDoUnderAdversityIsWrong() {
        assertThat(WRONG).isEmpty();
        assertThat(FIGURES.programs()).isEqualTo(PROGRAMS);
    }

    @Test
    void everyChoicePointIsTakenOftenEnoughAtAnotherAlternativeThanTheFirst() {
        assumeTrue(PROGRAMS >= ENOUGH_FOR_RARE_CHOICES, "some points are taken seldom; .ci/run makes enough programs");
        assertThat(FIGURES.tooSeldom())
                .as("points that were not taken %d times; %s", ExploreFigures.ENOUGH_DEVIATIONS, FIGURES.tally())
                .isEmpty();
    }

    @Test
    void theMedianProgramIsLargeEnoughToMeanSomething() {
        assertThat(FIGURES.medianQueuePairs()).isGreaterThanOrEqualTo(2);
        assertThat(FIGURES.medianRequests()).isGreaterThanOrEqualTo(8);
        assertThat(FIGURES.medianFeatures()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void everyCheckIsMadeAndEveryWeakBehaviourIsSeen() {
        assertThat(Stream.of(Check.values()).filter(check -> !check.isOfPeer()))
                .allSatisfy(check -> assertThat(FIGURES.checks().getOrDefault(check, 0L))
                        .as(check.name())
                        .isPositive());
        assertThat(FIGURES.weakBehaviours()).containsKeys(WeakBehaviour.values());
    }

    @Test
    void nothingIsLeftUnjudgedButWhatADeviceThatCrashedLeftBehindWhatUcDoesNotNoticeAndMemoryDomains() {
        assertThat(FIGURES.gaps().keySet()).isSubsetOf(Gap.PEER_NOT_TRACED, Gap.LINK_DISTURBS, Gap.SEVERAL_VIEWS);
    }

    @Test
    void shardsShareTheProgramsAmongThem() {
        List<Integer> numbers = new ArrayList<>();
        for (int shard = 1; shard <= 3; shard++) {
            new Explorer(SEED).runAll(7, shard, 3, 1, (number, program, executed) -> numbers.add(number));
        }

        assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void programsThatRunAtTheSameTimeDoWhatTheyDoAloneAndAreSeenInTheirOrder() {
        assertThat(choicesOf(50, 3)).isEqualTo(choicesOf(50, 1)).hasSize(50);
    }

    private static List<String> choicesOf(int programs, int threads) {
        List<String> choices = new ArrayList<>();
        new Explorer(SEED).runAll(programs, 1, 1, threads, (number, program, executed) -> {
            choices.add(number + ": " + executed.choices() + " " + executed.virtualNanos() + " " + executed.statuses());
            return true;
        });
        return choices;
    }

    @Test
    void noProgramIsSeenBehindTheOneThatEndsTheExploration() {
        List<Integer> numbers = new ArrayList<>();
        new Explorer(SEED).runAll(100, 1, 1, 3, (number, program, executed) -> {
            numbers.add(number);
            return number < 4;
        });

        assertThat(numbers).containsExactly(0, 1, 2, 3, 4);
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
