// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineWrapTest {

    @Test
    void textIsBrokenBetweenWords() {
        assertThat(LineWrap.of("one two three", 7)).containsExactly("one two", "three");
        assertThat(LineWrap.of("", 7)).containsExactly("");
    }

    @Test
    void wordThatIsLongerThanALineIsBrokenBetweenItsPartsOrWhereItMust() {
        assertThat(LineWrap.of("at fe80:0000:0001 now", 9)).containsExactly("at", "fe80:", "0000:0001", "now");
        assertThat(LineWrap.of("READ|WRITE", 8)).containsExactly("READ|", "WRITE");
        assertThat(LineWrap.of("[0x10,0x20)", 10)).containsExactly("[0x10,", "0x20)");
        assertThat(LineWrap.of("abcdefghij", 4)).containsExactly("abcd", "efgh", "ij");
    }

    @Test
    void furtherLinesAreIndentedByTwoMore() {
        assertThat(LineWrap.indented("  one two three", 10)).containsExactly("  one", "    two", "    three");
        assertThat(LineWrap.indented("  short", 10)).containsExactly("  short");
    }
}
