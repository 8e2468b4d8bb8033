// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.memory.SipHash;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class UnguessableNumbersTest {

    private static final int SEED = 0x5eed;

    @Test
    void sameSeedRepeatsAndCommunicationIdsAreDistinct() {
        UnguessableNumbers one = new UnguessableNumbers(SEED, LongUnaryOperator.identity());
        UnguessableNumbers other = new UnguessableNumbers(SEED, LongUnaryOperator.identity());
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            int id = one.communicationId();
            assertThat(other.communicationId()).isEqualTo(id);
            assertThat(ids.add(id)).isTrue();
            assertThat(other.psn()).isEqualTo(one.psn()).isBetween(0, 0xff_ffff);
        }
    }

    /** A bare counter flips only its lowest bits from one number to the next. */
    @Test
    void nextCommunicationIdDoesNotFollowFromTheLast() {
        UnguessableNumbers numbers = new UnguessableNumbers(SEED, new SipHash(SEED, 1)::of);
        int last = numbers.communicationId();
        int alike = 0;
        for (int i = 0; i < 1000; i++) {
            int next = numbers.communicationId();
            alike += (next ^ last) < 1 << 24 && (next ^ last) >= 0 ? 1 : 0;
            last = next;
        }
        assertThat(alike).isLessThan(30);
    }

    /** An ID is half of a number of the sequence, which 2^32 tries would complete; with it go all that follow. */
    @Test
    void everyNumberThatIsSeenIsDisguised() {
        UnguessableNumbers disguised = new UnguessableNumbers(SEED, number -> 0);
        assertThat(disguised.communicationId()).isEqualTo(1);
        assertThat(disguised.psn()).isZero();
        assertThat(disguised.below(1000)).isZero();
    }
}
