// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PayloadPropertiesTest {
    @Property
    void anyRangeOfAnyPiecesIsCopiedAsIfThePayloadWereOneArray(
            @ForAll @Size(max = 70) List<@Size(max = 5) byte[]> pieces,
            @ForAll @IntRange(max = 400) int a,
            @ForAll @IntRange(max = 400) int b) {
        Payload payload = new Payload();
        List<Byte> whole = new ArrayList<>();
        for (byte[] piece : pieces) {
            payload.add(ByteBuffer.allocateDirect(piece.length + 2).put(1, piece), 1, piece.length);
            for (byte value : piece) {
                whole.add(value);
            }
        }
        int from = Math.min(Math.min(a, b), whole.size());
        int to = Math.min(Math.max(a, b), whole.size());
        ByteBuffer destination = ByteBuffer.allocate(3 + to - from);

        payload.copyTo(from, destination, 3, to - from);

        assertThat(payload.lengthBytes()).isEqualTo(whole.size());
        for (int i = from; i < to; i++) {
            assertThat(destination.get(3 + i - from)).isEqualTo(whole.get(i));
        }
    }
}
