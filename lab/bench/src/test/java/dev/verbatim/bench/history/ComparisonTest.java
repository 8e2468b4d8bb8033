// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.verbatim.bench.history.Comparison.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How results of two runs compare. */
class ComparisonTest {

    private static Result result(List<Double> nanos, List<Double> copyNanos) {
        return new Result("msg-rate", nanos, nanos, Map.of("64 KiB copy", copyNanos));
    }

    @Test
    void speedOfTheMachineCancelsOut() {
        Result before = result(List.of(200.0, 200.0, 220.0), List.of(800.0, 800.0, 800.0));
        // The machine takes three times as long for everything, and the operation is twice as fast.
        Result now = result(List.of(300.0, 300.0, 300.0), List.of(2400.0, 2400.0, 2400.0));

        Comparison comparison = Comparison.of(before, now);

        assertThat(comparison.ratio()).isCloseTo(2, within(1e-9));
        assertThat(comparison.least()).isCloseTo(2, within(1e-9));
        assertThat(comparison.most()).isCloseTo(2.2, within(1e-9));
        assertThat(comparison.verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void roundsThatOverlapTellNothing() {
        Result before = result(List.of(200.0, 100.0), List.of(800.0, 800.0));
        Result now = result(List.of(150.0, 90.0), List.of(800.0, 800.0));

        assertThat(Comparison.of(before, now).verdict()).isEqualTo(Verdict.WITHIN_SPREAD);
    }

    @Test
    void everyRoundBelowAllBeforeIsSlower() {
        Result before = result(List.of(100.0, 110.0), List.of(800.0, 800.0));
        Result now = result(List.of(120.0, 130.0), List.of(800.0, 800.0));

        assertThat(Comparison.of(before, now).verdict()).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void absoluteFiguresAreNotCompared() {
        Result before =
                new Result("msg-rate", List.of(100.0), List.of(100.0), Map.of("plain 24 B frames", List.of(1.0)));
        assertThat(Comparison.of(before, result(List.of(50.0), List.of(800.0)))).isNull();
    }
}
