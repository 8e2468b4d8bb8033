// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class ProtocolTest {

    @Test
    void outcomeArrivesWithItsSentences() {
        Endpoint asked = Protocol.word(Protocol.PERFORM, 3);
        Outcome sent =
                new Outcome("right", false, List.of("received nothing instead of SUCCESS", "0x1 holds \"a+b %;é\""));
        assertThat(Protocol.outcome("right", Protocol.ended(asked, sent))).isEqualTo(sent);
    }

    @Test
    void longestSentencesOfTheScriptFitOnALine() {
        for (Step step : Script.steps()) {
            String sentence = "0x7f0000000000 holds " + "x".repeat(60) + " instead of " + "x".repeat(60);
            Outcome outcome = new Outcome("right", false, List.of("was told of QP_ACCESS_ERR", sentence));
            assertThat(Protocol.ended(Protocol.conclude(step, true), outcome).toString())
                    .startsWith("verbatim conclude=");
        }
    }
}
