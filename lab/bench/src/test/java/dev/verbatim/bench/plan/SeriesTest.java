// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SeriesTest {

    private static Histogram histogram(long... nanos) {
        Histogram histogram = Series.newHistogram();
        for (long value : nanos) {
            histogram.recordValue(value);
        }
        return histogram;
    }

    @Test
    void whereOnlyRoundsWereTimedTheMedianAndTheQuickestRoundCount() {
        Series series = new Series("a", 10, 3);
        series.add(1000, histogram(), -1);
        series.add(400, histogram(), -1);
        series.add(600, histogram(), -1);

        assertThat(series.operations()).isEqualTo(30);
        assertThat(series.medianNanos()).isEqualTo(60);
        assertThat(series.bestNanos()).isEqualTo(40);
        assertThat(series.p99Nanos()).isNaN();
        assertThat(series.allocatedBytes()).isNaN();
    }

    @Test
    void whereEachOperationWasTimedAllOfThemCount() {
        Series series = new Series("a", 3, 2);
        series.add(0, histogram(100, 200, 300), 30);
        series.add(0, histogram(300, 400, 1000), 0);

        assertThat(series.medianNanos()).isEqualTo(300);
        assertThat(series.bestNanos()).isEqualTo(100);
        assertThat(series.p99Nanos()).isEqualTo(1000);
        assertThat(series.allocatedBytes()).isEqualTo(5);
    }

    @Test
    void ratioIsTheMedianOfRatiosOfRoundsSideBySide() {
        Series ours = new Series("ours", 1, 3);
        Series yardstick = new Series("yardstick", 1, 3);
        // The machine becomes ten times slower, back again, and one round of ours is disturbed.
        long[][] rounds = {{200, 100}, {2000, 1000}, {4000, 100}};
        for (long[] round : rounds) {
            ours.add(round[0], histogram(), -1);
            yardstick.add(round[1], histogram(), -1);
        }

        assertThat(ours.ratioTo(yardstick, Measure.LATENCY)).isEqualTo(2);
        assertThat(ours.ratioTo(yardstick, Measure.BANDWIDTH)).isEqualTo(0.5);
    }

    @Test
    void ratioToWhatHadOtherRoundsIsThatOfTheMedians() {
        Series ours = new Series("ours", 1, 3);
        Series peer = new Series("peer", 1, 2);
        for (long nanos : new long[] {300, 100, 200}) {
            ours.add(nanos, histogram(), -1);
        }
        peer.add(100, histogram(), -1);
        peer.add(300, histogram(), -1);

        assertThat(ours.ratioTo(peer, Measure.LATENCY)).isEqualTo(1);
    }

    @Test
    void figuresHaveTheirUnits() {
        assertThat(Measure.BANDWIDTH.of(1e9, 1 << 30)).isEqualTo(1);
        assertThat(Measure.RATE.of(100, 8)).isEqualTo(10);
        assertThat(Measure.LATENCY.of(1500, 8)).isCloseTo(1.5, within(1e-9));
    }
}
