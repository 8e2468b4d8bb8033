// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.verbs.VerbsException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class DemoPrivateDataTest {

    private static final DemoPrivateData GREETING =
            new DemoPrivateData(Long.MAX_VALUE, -4096, 8192, 0xffff_ff02, 65_535);
    private static final int REVISION_BYTE = 5;

    @Test
    void greetingArrivesAsItWasSentThoughPadded() {
        byte[] padded = Arrays.copyOf(GREETING.toBytes(), ConnectionParameters.MOST_CONNECT_BYTES);
        assertThat(DemoPrivateData.parse(padded)).isEqualTo(GREETING);
    }

    @Test
    void anotherScriptIsRefusedWithTheRemedy() {
        byte[] bytes = GREETING.toBytes();
        bytes[REVISION_BYTE]++;
        assertThatThrownBy(() -> DemoPrivateData.parse(bytes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("script=4 ")
                .hasMessageContaining("script=3;")
                .hasMessageContaining("same version of verbatim at both ends");
    }

    @Test
    void whatIsNoGreetingIsNoVerbatim() {
        byte[] other = "GET / HTTP/1.1, and then some more that is long enough".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> DemoPrivateData.parse(other)).hasMessageContaining("is no verbatim");
        assertThatThrownBy(() -> DemoPrivateData.parse(new byte[0])).hasMessageContaining("is no verbatim");
    }

    @Test
    void reasonsForWhichOneIsRefusedFitIntoTheAnswer() {
        assertThatThrownBy(() -> DemoPrivateData.parse(new byte[0])).satisfies(DemoPrivateDataTest::fits);
        byte[] bytes = GREETING.toBytes();
        bytes[REVISION_BYTE - 1] = -1;
        assertThatThrownBy(() -> DemoPrivateData.parse(bytes)).satisfies(DemoPrivateDataTest::fits);
    }

    private static void fits(Throwable failure) {
        assertThat(((VerbsException) failure).refusal().sentence())
                .hasSizeLessThanOrEqualTo(ConnectionParameters.MOST_REJECT_BYTES);
    }
}
