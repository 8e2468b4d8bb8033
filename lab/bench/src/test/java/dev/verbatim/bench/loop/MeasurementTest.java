// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.bench.plan.RunLength;
import dev.verbatim.bench.plan.Series;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MeasurementTest {

    private static final RunLength EFFORT = new RunLength(500_000, 100_000, 10_000, 3);

    private final List<String> runs = new ArrayList<>();

    /** Takes exactly so long for each operation, without waiting. */
    private final class Steady implements TimedLoop {

        private final String name;
        private final long nanos;
        private long spentNanos;
        private boolean noticed;

        Steady(String name, long nanos) {
            this.name = name;
            this.nanos = nanos;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long run(int operations, Histogram latencies) {
            spentNanos += operations * nanos;
            noticed |= latencies.getTotalCount() > 0;
            latencies.recordValue(nanos);
            runs.add(name + operations);
            return operations * nanos;
        }

        @Override
        public long allocatedBytes() {
            return 40;
        }

        @Override
        public void close() {}
    }

    @Test
    void tracksTakeTurnsInRoundsOfTheRightLength() {
        Steady quick = new Steady("a", 100);
        Steady slow = new Steady("b", 500);

        List<Series> series = new Measurement(EFFORT).of(List.of(quick, slow), false);

        assertThat(runs.subList(runs.size() - 7, runs.size()))
                .containsExactly("b20", "a100", "b20", "a100", "b20", "a100", "b20");
        assertThat(series).extracting(Series::name).containsExactly("a", "b");
        assertThat(series).extracting(Series::operations).containsExactly(300L, 60L);
        assertThat(series.get(0).allocatedBytes()).isEqualTo(0.4);
        assertThat(quick.noticed).as("saw latencies of others").isFalse();
    }

    @Test
    void warmUpLastsAsLongAsItShould() {
        Steady warm = new Steady("a", 100);
        Steady cold = new Steady("b", 100);
        new Measurement(EFFORT).of(List.of(warm), false);
        new Measurement(EFFORT).of(List.of(cold), true);

        assertThat(warm.spentNanos).isBetween(130_000L, 150_000L);
        assertThat(cold.spentNanos).isBetween(530_000L, 550_000L);
    }

    @Test
    void whatIsSlowerThanARoundIsDoneOnceInEach() {
        Steady slow = new Steady("a", 1_000_000);
        assertThat(new Measurement(EFFORT).of(List.of(slow), false).get(0).operations())
                .isEqualTo(3);
    }

    @Test
    void effortIsDividedIntoRounds() {
        assertThat(RunLength.of(1, 5)).isEqualTo(new RunLength(1_000_000_000, 1_500_000_000, 200_000_000, 5));
        assertThat(RunLength.of(0.1, 2).coldNanos()).isEqualTo(300_000_000);
        assertThat(RunLength.of(0.01, 2).coldNanos()).isEqualTo(30_000_000);
    }
}
