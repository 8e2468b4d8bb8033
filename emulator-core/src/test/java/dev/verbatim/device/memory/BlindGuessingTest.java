// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlindGuessingTest {

    @Test
    void tenTossesOfACoin() {
        // P(more than 9) = 1/1024, P(more than 8) = 11/1024.
        assertThat(BlindGuessing.mostHits(10, 0.5, 0.5 / 1024)).isEqualTo(10);
        assertThat(BlindGuessing.mostHits(10, 0.5, 1.01 / 1024)).isEqualTo(9);
        assertThat(BlindGuessing.mostHits(10, 0.5, 11.01 / 1024)).isEqualTo(8);
    }

    @Test
    void rareHitsAreThoseOfPoisson() {
        // With mean 1: P(more than 8) = 1.1e-6, P(more than 9) = 1.1e-7.
        assertThat(BlindGuessing.mostHits(1_000_000, 1e-6, 1e-6)).isEqualTo(9);
        assertThat(BlindGuessing.mostHits(1_000_000, 1e-6, 1.2e-6)).isEqualTo(8);
    }

    @Test
    void manyHitsLieWithinFiveDeviationsOfTheMean() {
        // Mean 1000, deviation 31.6; the normal quantile is 4.75, and the tail to the right is somewhat longer.
        assertThat(BlindGuessing.mostHits(1_000_000, 1e-3, 1e-6)).isBetween(1149L, 1165L);
    }
}
