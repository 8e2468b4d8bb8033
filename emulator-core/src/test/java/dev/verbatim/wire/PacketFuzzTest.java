// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;

/** Arbitrary bytes as packets: refused with a sentence, or read without leaving them and written again with the same meaning. */
@Tag("smoke")
class PacketFuzzTest {

    private static final int BEFORE = 5;
    private static final int BEHIND = 7;

    @FuzzTest
    void packetIsRefusedOrMeansTheSameWhenItIsWrittenAgain(byte[] bytes) {
        PacketView view = new PacketView();
        String refusal = view.wrap(surrounded(bytes, (byte) 0), BEFORE, bytes.length);
        assertThat(new PacketView().wrap(surrounded(bytes, (byte) -1), BEFORE, bytes.length))
                .isEqualTo(refusal);
        if (refusal != null) {
            assertThat(refusal).isNotBlank();
        }
    }

    private static ByteBuffer surrounded(byte[] bytes, byte stranger) {
        ByteBuffer buffer = ByteBuffer.allocate(BEFORE + bytes.length + BEHIND);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, stranger);
        }
        return buffer.put(BEFORE, bytes);
    }
}
