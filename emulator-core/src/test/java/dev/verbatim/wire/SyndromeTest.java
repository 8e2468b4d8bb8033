// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyndromeTest {
    @ParameterizedTest
    @CsvSource({
        "0x00, ACK credit 0",
        "0x08, ACK credit 16",
        "0x1f, ACK",
        "0x20, RNR NAK 655.36 ms",
        "0x2e, RNR NAK 1.28 ms",
        "0x60, NAK PSN sequence error",
        "0x61, NAK invalid request",
        "0x62, NAK remote access error",
        "0x63, NAK remote operational error",
        "0x64, NAK invalid RD request",
        "0x40, reserved syndrome 0x40",
        "0xff, reserved syndrome 0xff",
    })
    @Rule({"TV-07", "ACK-01"})
    void syndromeIsDescribedByItsMeaning(String syndrome, String words) {
        assertThat(Syndrome.describe(Integer.decode(syndrome))).isEqualTo(words);
    }

    @Test
    @Rule({"TV-07", "ACK-01"})
    void everyByteIsExactlyOneOfAckRnrNakAndReserved() {
        for (int syndrome = 0; syndrome <= 0xff; syndrome++) {
            boolean rnr = syndrome >= 0x20 && syndrome <= 0x3f;
            boolean nak = syndrome >= 0x60 && syndrome <= 0x64;
            assertThat(Syndrome.isAck(syndrome)).as("0x%02x", syndrome).isEqualTo(syndrome <= 0x1f);
            assertThat(Syndrome.isRnr(syndrome)).as("0x%02x", syndrome).isEqualTo(rnr);
            assertThat(Syndrome.isNak(syndrome)).as("0x%02x", syndrome).isEqualTo(nak);
            assertThat(Syndrome.isReserved(syndrome)).as("0x%02x", syndrome).isEqualTo(syndrome > 0x1f && !rnr && !nak);
        }
    }

    @Test
    @Rule("ACK-01")
    void numberThatIsNoByteIsReserved() {
        assertThat(Syndrome.isReserved(-1)).isTrue();
        assertThat(Syndrome.isReserved(0x100)).isTrue();
    }

    @Test
    @Rule({"TV-07", "ACK-01"})
    void namesHaveTheNumbersOfTheWire() {
        assertThat(IntStream.of(
                        Syndrome.ACK_NO_CREDIT,
                        Syndrome.NAK_PSN_SEQUENCE,
                        Syndrome.NAK_INVALID_REQUEST,
                        Syndrome.NAK_REMOTE_ACCESS,
                        Syndrome.NAK_REMOTE_OPERATIONAL,
                        Syndrome.NAK_INVALID_RD))
                .containsExactly(0x1f, 0x60, 0x61, 0x62, 0x63, 0x64);
    }

    @Test
    @Rule({"TV-07", "RT-04"})
    void timerCodeSurvivesTheRnrSyndrome() {
        assertThat(Syndrome.rnr(0)).isEqualTo(0x20);
        assertThat(Syndrome.rnr(14)).isEqualTo(0x2e);
        for (int code = 0; code <= 31; code++) {
            assertThat(Syndrome.rnrTimer(Syndrome.rnr(code))).isEqualTo(code);
        }
    }

    @Test
    @Rule("ACK-06")
    void creditCodesGrowAsThePowersOfTwoAndTheirHalfwayMarks() {
        int[] credits = IntStream.rangeClosed(0x00, 0x1e).map(Syndrome::credit).toArray();
        assertThat(credits).startsWith(0, 1, 2, 3, 4, 6, 8, 12).endsWith(16384, 24576, 32768);
        for (int code = 2; code + 2 < credits.length; code++) {
            assertThat(credits[code + 2]).as("code %d", code + 2).isEqualTo(2 * credits[code]);
        }
        assertThat(Syndrome.credit(0x1f)).isEqualTo(Syndrome.CREDIT_UNKNOWN);
    }

    @Test
    void questionToTheWrongTypeIsRefusedWithTheSyndrome() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Syndrome.credit(0x20))
                .withMessageContaining("syndrome=0x20 (RNR NAK 655.36 ms) is not an ACK");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Syndrome.rnrTimer(0x1f))
                .withMessageContaining("syndrome=0x1f (ACK) is not an RNR NAK");
        assertThatIllegalArgumentException().isThrownBy(() -> Syndrome.rnr(32)).withMessageContaining("timerCode=32");
    }
}
