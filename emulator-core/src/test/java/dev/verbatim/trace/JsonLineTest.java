// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonLineTest {
    private final JsonLine line = new JsonLine();

    @Test
    void membersAreSeparatedAtEveryDepth() {
        line.begin()
                .with("a", 1)
                .with("b", true)
                .open("c")
                .with("d", "x")
                .with("e", (String) null)
                .close();
        line.open("f").close().with("g", -5L);
        assertThat(text()).isEqualTo("{\"a\":1,\"b\":true,\"c\":{\"d\":\"x\",\"e\":null},\"f\":{},\"g\":-5}\n");
    }

    @Test
    void nextLineBeginsEmpty() {
        line.begin().with("a", 1).end();
        line.begin();
        assertThat(text()).isEqualTo("{}\n");
    }

    @Test
    void bitsAreTextInHexadecimalOfTheirWidth() {
        line.begin()
                .withHex64("a", -1)
                .withHex64("b", 0x10)
                .withHex32("c", 0x305)
                .withHex32("d", 0xfedc_ba98);
        assertThat(text())
                .isEqualTo("{\"a\":\"0xffffffffffffffff\",\"b\":\"0x10\",\"c\":\"0x00000305\",\"d\":\"0xfedcba98\"}\n");
    }

    @Test
    void whatJsonForbidsInTextIsEscaped() {
        line.begin().with("a", "\"\\/\n\r\t\0\u001f\u007f");
        assertThat(text()).isEqualTo("{\"a\":\"\\\"\\\\/\\n\\u000d\\u0009\\u0000\\u001f\u007f\"}\n");
    }

    @Test
    void textOfAnyLanguageIsUtf8AndSurrogatesAreEscaped() {
        line.begin().with("a", "ölçü \u65e5").with("b", "\ud83d\ude00").with("c", "\udc00");
        assertThat(text()).isEqualTo("{\"a\":\"ölçü \u65e5\",\"b\":\"\\ud83d\\ude00\",\"c\":\"\\udc00\"}\n");
    }

    private String text() {
        return new String(line.end(), StandardCharsets.UTF_8);
    }
}
