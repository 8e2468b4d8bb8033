// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Explored explored = new Exploration(OpenChoices.NONE).run(schedule -> "passes");

    private String told(Progress progress) {
        PrintStream before = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            progress.tell(explored);
        } finally {
            System.setErr(before);
        }
        return out.toString(StandardCharsets.UTF_8).trim();
    }

    @Test
    void linesComeAfterFiveSecondsAndThenWhenTwiceTheTimeIsOver() {
        try (Progress progress = new Progress("name", nanos::get).watch()) {
            assertThat(progress.isDue()).isFalse();
            nanos.set(5_000_000_000L);
            assertThat(progress.isDue()).isTrue();
            assertThat(told(progress)).isEqualTo("name: 1 runs in 5 s, and none failed");
            assertThat(progress.isDue()).isFalse();
        }
    }

    @Test
    void processThatEndsWaitsUntilItIsToldWhatWasExplored() {
        try (Progress progress = new Progress("name", nanos::get)) {
            Thread end = new Thread(progress::processEnds, "ends");
            end.start();
            Await.until("it is due", progress::isDue);
            assertThat(told(progress))
                    .isEqualTo("name: 1 runs in 0 s, and none failed; the process was ended before all runs were made");
            Await.end(end);
            assertThat(progress.isDue()).isFalse();
        }
    }
}
