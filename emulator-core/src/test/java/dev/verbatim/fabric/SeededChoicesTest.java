// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SeededChoicesTest {

    /** The first draws of SplitMix64 from 42, computed apart from this code: no Java version may change them. */
    @Test
    void firstDrawsOfASeedAreFixedForGood() {
        assertThat(draws(42, 1_000, 8)).containsExactly(413, 291, 858, 764, 250, 62, 925, 908);
    }

    @Test
    void sameSeedDrawsTheSameAndAnotherSeedDrawsOtherwise() {
        assertThat(draws(7, 1_000, 50)).isEqualTo(draws(7, 1_000, 50)).isNotEqualTo(draws(8, 1_000, 50));
    }

    @Property
    void everyDrawIsOneOfTheAlternatives(@ForAll long seed, @ForAll @IntRange(min = 1) int alternatives) {
        assertThat(draws(seed, alternatives, 20)).allMatch(draw -> draw >= 0 && draw < alternatives);
    }

    @Property
    void everyAlternativeIsDrawnSoonerOrLater(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int alternatives) {
        assertThat(draws(seed, alternatives, 500))
                .containsAll(IntStream.range(0, alternatives).boxed().toList());
    }

    @Test
    void choiceWithoutAlternativesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Choices.seeded(1).choose(ChoicePoint.LINK_DROP, 0))
                .withMessageContaining("LINK_DROP")
                .withMessageContaining("alternatives=0 < 1");
    }

    @Test
    void canonicalChoiceIsTheFirst() {
        assertThat(Choices.canonical().choose(ChoicePoint.LINK_DELAY, 9)).isZero();
    }

    private static List<Integer> draws(long seed, int alternatives, int count) {
        Choices choices = Choices.seeded(seed);
        List<Integer> draws = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            draws.add(choices.choose(ChoicePoint.LINK_DROP, alternatives));
        }
        return draws;
    }
}
