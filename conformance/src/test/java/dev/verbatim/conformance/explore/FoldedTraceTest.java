// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.trace.TraceEvent;
import org.junit.jupiter.api.Test;

class FoldedTraceTest {

    private static final int TIMES = 500;

    @Test
    void whatComesAgainAndAgainStandsOnceWithItsNumber() {
        FoldedTrace trace = new FoldedTrace();
        for (int i = 0; i < TIMES; i++) {
            trace.on(new TraceEvent.Decided(1_000L * i, "left", 17, "RT-03"));
            trace.on(new TraceEvent.Decided(1_000L * i, "right", 18, "RT-03"));
        }
        String text = trace.text();
        assertThat(text.lines()).hasSizeLessThan(10);
        assertThat(text).contains("again   the 2 events before this line, 499 times more until 499.000 us");
    }
}
