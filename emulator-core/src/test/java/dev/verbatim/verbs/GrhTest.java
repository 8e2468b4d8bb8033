// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The header before a datagram is read as it is written, whatever the buffer's order. */
class GrhTest {

    private static final Grh GRH =
            new Grh(0xa5, 0xf_1234, 0xfff0, 0x1b, 255, new Gid(0xfe80L << 48, 2), new Gid(-1, Long.MIN_VALUE));

    @Test
    void headerIsReadAsItWasWritten() {
        ByteBuffer buffer =
                ByteBuffer.allocate(50).order(ByteOrder.LITTLE_ENDIAN).position(3);
        GRH.writeTo(buffer, 5);
        assertThat(Grh.parse(buffer, 5)).isEqualTo(GRH);
        assertThat(buffer.position()).isEqualTo(3);
        assertThat(buffer.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        byte[] bytes = buffer.array();
        assertThat(bytes).startsWith(0, 0, 0, 0, 0, 0x6a, 0x5f, 0x12, 0x34, 0xff, 0xf0, 0x1b, 0xff, 0xfe, 0x80);
        assertThat(bytes[5 + Grh.BYTES]).isZero();
    }

    @Test
    void bytesThatAreNoHeaderAreToldFromOne() {
        assertThatThrownBy(() -> Grh.parse(ByteBuffer.allocate(Grh.BYTES), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version=0");
    }
}
