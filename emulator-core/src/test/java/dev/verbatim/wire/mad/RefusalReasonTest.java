// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.wire.Octets;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The datagrams that ask for and tell the reason of a refusal. */
class RefusalReasonTest {

    private static final RefusalReason QUESTION = RefusalReason.question(0x1234_5678_9abc_def0L, 17, 18, 0xffffff);

    private static RefusalReason again(RefusalReason message) {
        return RefusalReason.parse(Mad.parse(message.emit()));
    }

    @Test
    void questionAndAnswerAreReadAsTheyWereWritten() {
        assertThat(again(QUESTION)).isEqualTo(QUESTION);
        RefusalReason answer = QUESTION.answer("MR-22", "WRITE of 8 bytes needs more than the key covers");
        assertThat(again(answer)).isEqualTo(answer);
        assertThat(answer.transactionId()).isEqualTo(QUESTION.transactionId());
        assertThat(answer.psn()).isEqualTo(0xffffff);
    }

    @Test
    void longSentenceIsCutBetweenCharacters() {
        String sentence = "\u00e9\ud83d\ude00".repeat(100);
        RefusalReason answer = again(QUESTION.answer("MR-22", sentence));
        assertThat(answer.sentence()).endsWith("...").hasSizeGreaterThan(90);
        assertThat(sentence)
                .startsWith(answer.sentence().substring(0, answer.sentence().length() - 3));
        assertThat((answer.rule() + answer.sentence()).getBytes(StandardCharsets.UTF_8).length)
                .isBetween(RefusalReason.MOST_TEXT_BYTES - 6, RefusalReason.MOST_TEXT_BYTES);
    }

    @Test
    void whatAPeerSaysMovesNoCursor() {
        assertThat(again(QUESTION.answer("MR-22", "a\nb\u001b[31mc\r\n")).sentence())
                .isEqualTo("a?b?[31mc??");
    }

    /** Offsets in the datagram, and what stands there instead. */
    @ParameterizedTest
    @CsvSource({
        "1, 7, class=7",
        "2, 9, class version=9",
        "3, 3, method=3",
        "5, 1, status=1",
        "17, 1, attribute=",
        "38, 1, vendor",
        "40, 2, vendor",
        "56, 0, do not fit an answer",
        "56, 255, rule=255 bytes",
        "57, 255, sentence=255 bytes",
        "58, 10, no id",
        "58, 200, no id",
    })
    void whatIsNeitherIsRefusedWithASentence(int at, int octet, String words) {
        byte[] bytes = QUESTION.answer("MR-22", "no").emit().toBytes();
        bytes[at] = (byte) octet;
        assertThatThrownBy(() -> RefusalReason.parse(Mad.parse(Octets.of(bytes))))
                .isInstanceOf(MadFormatException.class)
                .hasMessageContaining(words);
    }
}
