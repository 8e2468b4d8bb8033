// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Ports as soft-RoCE has them. */
class SourcePortTest {

    /** Measured: rdma_cm sets that label. */
    @Test
    void flowLabelTakesThePlaceOfTheNumbers() {
        assertThat(SourcePort.of(17, 18, 0xc0051)).isEqualTo(49249);
    }

    @Test
    void portFollowsFromBothNumbersInTheDynamicRange() {
        assertThat(SourcePort.of(17, 18, 0)).isEqualTo(0xc000 | 17 * 18);
        assertThat(SourcePort.of(0xffffff, 0xfffffe, 0)).isBetween(0xc000, 0xffff);
        assertThat(SourcePort.of(0x123456, 0x654321, 0)).isNotEqualTo(SourcePort.of(0x123457, 0x654321, 0));
    }
}
