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
import org.junit.jupiter.params.provider.ValueSource;

class TimerCodesTest {
    @Test
    @Rule("RT-04")
    void rnrTimerHasTheWaitingTimesOfTheTable() {
        double[] millis = IntStream.rangeClosed(0, 31)
                .mapToDouble(code -> RnrTimer.nanos(code) / 1e6)
                .toArray();
        assertThat(millis)
                .containsExactly(
                        655.36, .01, .02, .03, .04, .06, .08, .12, .16, .24, .32, .48, .64, .96, 1.28, 1.92, 2.56, 3.84,
                        5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68,
                        491.52);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 8192",
        "8, 1048576",
        "12, 16777216",
        "14, 67108864",
        "17, 536870912",
        "18, 1073741824",
        "20, 4294967296",
        "31, 8796093022208",
    })
    @Rule({"TV-06", "RT-01"})
    void ackTimeoutDoublesWithEachStep(int code, long nanos) {
        assertThat(AckTimeout.nanos(code)).isEqualTo(nanos);
    }

    @Test
    @Rule({"TV-06", "RT-01"})
    void ackTimeoutOfCodeZeroNeverRunsOut() {
        assertThat(AckTimeout.nanos(0)).isEqualTo(AckTimeout.NEVER).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 32})
    @Rule({"RT-01", "RT-04"})
    void codeOfMoreThanFiveBitsIsRefused(int code) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AckTimeout.nanos(code))
                .withMessageContaining("timeout=" + code + " is not in 0..31");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RnrTimer.nanos(code))
                .withMessageContaining("timerCode=" + code + " is not in 0..31");
    }
}
