// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SipHashTest {

    @Test
    void publishedVectorOfEightBytes() {
        SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        assertThat(hash.of(0x0706050403020100L)).isEqualTo(0x93f5f5799a932462L);
    }
}
