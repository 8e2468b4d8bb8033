// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.ConnectionData;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class LineProtocolTest {

    @Test
    void outcomeArrivesWithItsSentences() {
        ConnectionData asked = LineProtocol.word(LineProtocol.PERFORM, 3);
        StepOutcome sent = new StepOutcome(
                "right", false, List.of("received nothing instead of SUCCESS", "0x1 holds \"a+b %;é\""));
        assertThat(LineProtocol.outcome("right", LineProtocol.ended(asked, sent)))
                .isEqualTo(sent);
    }

    @Test
    void longestSentencesOfTheScriptFitOnALine() {
        for (DemoStep step : DemoScript.steps()) {
            String sentence = "0x7f0000000000 holds " + "x".repeat(60) + " instead of " + "x".repeat(60);
            StepOutcome outcome = new StepOutcome("right", false, List.of("got event QP_ACCESS_ERR", sentence));
            assertThat(LineProtocol.ended(LineProtocol.conclude(step, true), outcome)
                            .toString())
                    .startsWith("verbatim conclude=");
        }
    }
}
