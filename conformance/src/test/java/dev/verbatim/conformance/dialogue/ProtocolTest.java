// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class ProtocolTest {

    private static final Facts FACTS =
            new Facts("left", Long.MAX_VALUE, Gid.ofGuid(-1), 0xff_ffff, 100, -4096, 4096, 0xffff_ff02);

    @Test
    void factsArriveAsTheyWereSent() {
        assertThat(Protocol.facts(Protocol.hello(FACTS))).isEqualTo(FACTS);
    }

    @Test
    void anotherScriptIsRefusedWithTheRemedy() {
        Endpoint hello = Protocol.hello(FACTS).with(Protocol.SCRIPT, Protocol.REVISION + 1);
        assertThatThrownBy(() -> Protocol.facts(hello))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("script=3 ")
                .hasMessageContaining("script=2;")
                .hasMessageContaining("same version of verbatim at both ends");
    }

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
