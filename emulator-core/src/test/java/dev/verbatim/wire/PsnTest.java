// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsnTest {
    @ParameterizedTest
    @CsvSource({
        "0x000005, 0x000005, EXPECTED",
        "0x000006, 0x000005, FUTURE",
        "0x000004, 0x000005, DUPLICATE",
        "0x000000, 0xffffff, FUTURE",
        "0xffffff, 0x000000, DUPLICATE",
        "0x800004, 0x000005, FUTURE",
        "0x800005, 0x000005, DUPLICATE",
        "0x7ffffe, 0xffffff, FUTURE",
        "0x7fffff, 0xffffff, DUPLICATE",
    })
    @Rule({"TV-04", "PSN-01"})
    void classOfPsnDependsOnItsDistanceFromTheExpectedOne(String psn, String expected, PsnClass wanted) {
        assertThat(Psn.classify(Integer.decode(psn), Integer.decode(expected))).isEqualTo(wanted);
    }

    @Test
    @Rule({"TV-04", "PSN-01"})
    void distanceCountsForwardAcrossTheWrap() {
        assertThat(Psn.distance(0xffffff, 0x000000)).isEqualTo(1);
        assertThat(Psn.distance(0x000000, 0xffffff)).isEqualTo(0xffffff);
        assertThat(Psn.distance(7, 7)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1024, 1", "1025, 2", "4096, 4", "4097, 5"})
    @Rule({"TV-05", "PSN-03"})
    void messageTakesOnePsnForEachStartedPathMtu(long lengthBytes, int packets) {
        assertThat(Psn.packets(lengthBytes, 1024)).isEqualTo(packets);
    }

    @Test
    @Rule({"TV-05", "PSN-03"})
    void requestAfterReadContinuesBehindTheLastResponse() {
        assertThat(Psn.add(0xfffffe, Psn.packets(4097, 1024))).isEqualTo(0x000003);
    }

    @Test
    @Rule("PSN-03")
    void longestMessageAtSmallestPathMtuIsCounted() {
        assertThat(Psn.packets(1L << 31, 256)).isEqualTo(1 << 23);
    }

    @Test
    void impossibleMessageIsRefusedWithItsNumbers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Psn.packets(-1, 1024))
                .withMessageContaining("lengthBytes=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Psn.packets(1, 0))
                .withMessageContaining("pathMtuBytes=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Psn.packets(1L << 31, 1))
                .withMessageContaining("2147483648 packets");
        assertThat(Psn.packets((1L << 31) - 1, 1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @Rule("PSN-01")
    void nextOfTheLargestPsnIsZero() {
        assertThat(Psn.next(Psn.MASK)).isZero();
        assertThat(Psn.next(0)).isEqualTo(1);
        assertThat(Psn.add(0, -1)).isEqualTo(Psn.MASK);
    }

    @Test
    void comparisonFollowsTheShorterWayRound() {
        assertThat(Psn.compare(6, 5)).isEqualTo(1);
        assertThat(Psn.compare(5, 6)).isEqualTo(-1);
        assertThat(Psn.compare(0, 0xffffff)).isEqualTo(1);
        assertThat(Psn.compare(0xffffff, 0)).isEqualTo(-1);
        assertThat(Psn.compare(0x7fffff, 0)).isEqualTo(0x7fffff);
        assertThat(Psn.compare(0x800000, 0)).isEqualTo(-0x800000);
    }

    @Test
    void rangeIncludesBothEndsAndMayWrap() {
        assertThat(Psn.inRange(0xfffffe, 0xfffffe, 1)).isTrue();
        assertThat(Psn.inRange(0, 0xfffffe, 1)).isTrue();
        assertThat(Psn.inRange(1, 0xfffffe, 1)).isTrue();
        assertThat(Psn.inRange(2, 0xfffffe, 1)).isFalse();
        assertThat(Psn.inRange(0xfffffd, 0xfffffe, 1)).isFalse();
        assertThat(Psn.inRange(9, 9, 9)).isTrue();
        assertThat(Psn.inRange(8, 9, 9)).isFalse();
    }
}
