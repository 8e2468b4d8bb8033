// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.soak.Soak;
import dev.verbatim.cli.soak.SoakResult;
import dev.verbatim.cli.soak.plan.DevicePair;
import dev.verbatim.cli.soak.plan.SoakPlan;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What Ctrl-C does to commands that take long. */
class InterruptionTest {

    @Test
    void processWaitsUntilTheCommandHasPrinted() throws InterruptedException {
        Interruption interruption = Interruption.watch();
        Thread ending = new Thread(interruption::ask);

        assertThat(interruption.isAsked()).isFalse();
        ending.start();
        Await.until("the command is asked to end", interruption::isAsked);
        assertThat(ending.isAlive()).isTrue();
        interruption.close();
        ending.join();
    }

    @Test
    @LongTest
    void soakEndsBeforeItsTimeWithAResult() {
        SoakResult result =
                Soak.run(new SoakPlan(Duration.ofHours(1), 1, 2, DevicePair.Kind.IN_PROCESS), line -> {}, () -> true);

        assertThat(result.seconds()).isLessThan(600);
        assertThat(result.isGood()).isTrue();
        assertThat(result.isEnded()).isTrue();
    }
}
