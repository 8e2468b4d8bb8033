// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Psn;
import org.junit.jupiter.api.Test;

/** How a READ of more than 2^22 packets is asked for in parts; too long to be tried. */
class LongReadTest {

    private static final int PART = Requester.MOST_PACKETS_OF_A_READ_REQUEST;

    @Test
    void longestReadAtTheSmallestMtuIsAskedForInTwoParts() {
        int packets = Psn.packets(1L << 31, 256);
        assertThat(packets).isEqualTo(2 * PART);
        assertThat(Requester.packetsOfPart(0, packets)).isEqualTo(PART);
        assertThat(Requester.packetsOfPart(PART, packets)).isEqualTo(PART);
    }

    @Test
    void partThatIsAskedForAgainEndsWhereItEndedBefore() {
        assertThat(Requester.packetsOfPart(5, 2 * PART)).isEqualTo(PART - 5);
        assertThat(Requester.packetsOfPart(PART - 1, 2 * PART)).isEqualTo(1);
        assertThat(Requester.packetsOfPart(PART + 7, 2 * PART)).isEqualTo(PART - 7);
    }

    @Test
    void shortReadIsAskedForAtOnceUpToItsEnd() {
        assertThat(Requester.packetsOfPart(0, 1)).isEqualTo(1);
        assertThat(Requester.packetsOfPart(3, 10)).isEqualTo(7);
        assertThat(Requester.packetsOfPart(PART, PART + 1)).isEqualTo(1);
    }
}
