// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

@Rule("PSN-01")
class PsnPropertiesTest {
    private static final int HALF = 0x800000;

    @Property
    void addingTheDistanceArrives(
            @ForAll @IntRange(max = Psn.MASK) int from, @ForAll @IntRange(max = Psn.MASK) int to) {
        assertThat(Psn.distance(from, to)).isBetween(0, Psn.MASK);
        assertThat(Psn.add(from, Psn.distance(from, to))).isEqualTo(to);
    }

    @Property
    void distanceIsWhatWasAdded(
            @ForAll @IntRange(max = Psn.MASK) int from, @ForAll @IntRange(max = Psn.MASK) int steps) {
        assertThat(Psn.distance(from, Psn.add(from, steps))).isEqualTo(steps);
    }

    @Property
    void subtractingUndoesAdding(@ForAll @IntRange(max = Psn.MASK) int psn, @ForAll int n) {
        assertThat(Psn.add(Psn.add(psn, n), -n)).isEqualTo(psn);
        assertThat(Psn.add(psn, n)).isBetween(0, Psn.MASK);
    }

    @Property
    void wholeRoundComesBackToTheSamePsn(@ForAll @IntRange(max = Psn.MASK) int psn) {
        assertThat(Psn.add(psn, Psn.MASK + 1)).isEqualTo(psn);
        assertThat(Psn.next(psn)).isEqualTo(Psn.add(psn, 1));
    }

    @Property
    void classesPartitionAllPsns(
            @ForAll @IntRange(max = Psn.MASK) int psn, @ForAll @IntRange(max = Psn.MASK) int expected) {
        PsnClass wanted = PsnClass.DUPLICATE;
        if (psn == expected) {
            wanted = PsnClass.EXPECTED;
        } else if (Psn.inRange(psn, Psn.add(expected, 1), Psn.add(expected, HALF - 1))) {
            wanted = PsnClass.FUTURE;
        }
        assertThat(Psn.classify(psn, expected)).isEqualTo(wanted);
    }

    @Property
    void comparisonAgreesWithTheClass(
            @ForAll @IntRange(max = Psn.MASK) int psn, @ForAll @IntRange(max = Psn.MASK) int expected) {
        int sign = Integer.signum(Psn.compare(psn, expected));
        assertThat(sign)
                .isEqualTo(
                        switch (Psn.classify(psn, expected)) {
                            case EXPECTED -> 0;
                            case FUTURE -> 1;
                            case DUPLICATE -> -1;
                        });
    }

    @Property
    void comparisonIsAntisymmetricButForOppositePsns(
            @ForAll @IntRange(max = Psn.MASK) int a, @ForAll @IntRange(min = 1 - HALF, max = HALF - 1) int steps) {
        int b = Psn.add(a, steps);
        assertThat(Psn.compare(b, a)).isEqualTo(steps);
        assertThat(Psn.compare(a, b)).isEqualTo(-steps);
    }

    @Property
    void rangeHoldsExactlyTheStepsFromFirstToLast(
            @ForAll @IntRange(max = Psn.MASK) int first,
            @ForAll @IntRange(max = Psn.MASK) int width,
            @ForAll @IntRange(max = Psn.MASK) int steps) {
        assertThat(Psn.inRange(Psn.add(first, steps), first, Psn.add(first, width)))
                .isEqualTo(steps <= width);
    }

    @Property
    @Rule("PSN-03")
    void packetsSufficeAndNoneIsSpare(
            @ForAll @LongRange(max = 1L << 31) long lengthBytes, @ForAll @IntRange(min = 1, max = 5) int mtuCode) {
        int pathMtuBytes = 128 << mtuCode;
        long packets = Psn.packets(lengthBytes, pathMtuBytes);
        assertThat(packets).isPositive();
        assertThat(packets * pathMtuBytes).isGreaterThanOrEqualTo(lengthBytes);
        assertThat(packets == 1 || (packets - 1) * pathMtuBytes < lengthBytes).isTrue();
    }
}
