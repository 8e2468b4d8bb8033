// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.testing.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mistakes in programs that a hundred seeds find, in at least 95 of 100 repetitions (the k-th with the seeds 100k to 100k+99), and
 * that shrink to at most ten choices. A build makes one repetition; with {@code -Dverbatim.planted=100} all are made, and each is shrunk.
 */
class PlantedBugsTest {

    private static final int SEEDS = 100;
    private static final int REPETITIONS = Tries.of("planted", 1, 5, 100);
    private static final int SEEDS_OF_MENDED = Tries.isLong() ? SEEDS : 25;
    private static final int MOST_CHOICES = 10;
    private static final int SHRINK_RUNS = 1_000;

    /** A build takes one program of each mistake. */
    static Stream<Planted> programs() {
        return Stream.of(PlantedFlags.all(), PlantedWakeUps.all(), PlantedAtomics.all(), PlantedOrders.all())
                .flatMap(programs -> programs.stream().limit(Tries.isLong() ? programs.size() : 1));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void mistakeIsFoundByAHundredSeedsAndShrinks(Planted planted) {
        Hunt hunt = new Hunt(planted::broken, SeedMix::choices);
        int found = 0;
        List<String> tooLong = new ArrayList<>();
        int longest = 0;
        long seeds = 0;
        for (int k = 0; k < REPETITIONS; k++) {
            Hunt.Found first = hunt.find((long) SEEDS * k, SEEDS);
            if (first != null) {
                found++;
                seeds += first.seeds();
                if (k == 0 || Tries.isFull()) {
                    ChoiceList fewest = hunt.shrink(first, SHRINK_RUNS);
                    longest = Math.max(longest, fewest.deviations().size());
                    if (fewest.deviations().size() > MOST_CHOICES) {
                        tooLong.add("repetition " + k + ": " + fewest);
                    }
                }
            }
        }
        System.out.println(planted + ": found in " + found + " of " + REPETITIONS + " repetitions, on average by seed "
                + (found == 0 ? "-" : seeds / found) + "; at most " + longest + " choices left, more than "
                + MOST_CHOICES + " in " + tooLong.size());
        assertThat(found).as("repetitions that find it").isGreaterThanOrEqualTo((REPETITIONS * 95 + 99) / 100);
        assertThat(tooLong).as("more than %d choices", MOST_CHOICES).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void mendedProgramPasses(Planted planted) {
        Hunt hunt = new Hunt(planted::mended, SeedMix::choices);
        int repetitions = Tries.isFull() ? REPETITIONS : 1;
        for (int k = 0; k < repetitions; k++) {
            Hunt.Found wrong = hunt.find((long) SEEDS * k, SEEDS_OF_MENDED);
            assertThat(wrong).as("%s", planted).isNull();
        }
    }
}
