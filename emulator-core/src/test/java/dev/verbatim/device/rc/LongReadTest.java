// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Psn;
import org.junit.jupiter.api.Test;

/** How a READ of more than 2^22 packets is asked for in parts; too long to be tried. */
class LongReadTest {

    private static final int PART = SendWindow.MOST_PACKETS_OF_A_READ_REQUEST;

    @Test
    void longestReadAtTheSmallestMtuIsAskedForInTwoParts() {
        int packets = Psn.packets(1L << 31, 256);
        assertThat(packets).isEqualTo(2 * PART);
        assertThat(SendWindow.packetsOfPart(0, packets, PART)).isEqualTo(PART);
        assertThat(SendWindow.packetsOfPart(PART, packets, PART)).isEqualTo(PART);
    }

    @Test
    void partThatIsAskedForAgainEndsWhereItEndedBefore() {
        assertThat(SendWindow.packetsOfPart(5, 2 * PART, PART)).isEqualTo(PART - 5);
        assertThat(SendWindow.packetsOfPart(PART - 1, 2 * PART, PART)).isEqualTo(1);
        assertThat(SendWindow.packetsOfPart(PART + 7, 2 * PART, PART)).isEqualTo(PART - 7);
    }

    @Test
    void shortReadIsAskedForAtOnceUpToItsEnd() {
        assertThat(SendWindow.packetsOfPart(0, 1, PART)).isEqualTo(1);
        assertThat(SendWindow.packetsOfPart(3, 10, PART)).isEqualTo(7);
        assertThat(SendWindow.packetsOfPart(PART, PART + 1, PART)).isEqualTo(1);
    }
}
