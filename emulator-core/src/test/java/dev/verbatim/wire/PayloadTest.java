// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class PayloadTest {
    private final Payload payload = new Payload();

    @Test
    void piecesAreKeptInOrderAndNotCopied() {
        ByteBuffer first = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        ByteBuffer second = ByteBuffer.wrap(new byte[] {5, 6, 7, 8});
        payload.add(first, 1, 2);
        payload.add(second, 3, 1);

        second.put(3, (byte) 9);

        assertThat(payload.pieces()).isEqualTo(2);
        assertThat(payload.lengthBytes()).isEqualTo(3);
        assertThat(payload.buffer(1)).isSameAs(second);
        assertThat(payload.offset(0)).isEqualTo(1);
        assertThat(payload.length(0)).isEqualTo(2);
        assertThat(payload.toBytes()).containsExactly(2, 3, 9);
    }

    @Test
    void emptyPieceAddsNothing() {
        payload.add(ByteBuffer.allocate(4), 4, 0);
        assertThat(payload.pieces()).isZero();
        assertThat(payload.toBytes()).isEmpty();
    }

    @Test
    void clearedPayloadHasNoPieceLeft() {
        payload.add(ByteBuffer.allocate(4), 0, 4);
        payload.clear();
        assertThat(payload.pieces()).isZero();
        assertThat(payload.lengthBytes()).isZero();
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.buffer(0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.offset(0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.length(0));
    }

    @Test
    void rangeBeyondTheLimitOfItsBufferIsRefusedAndNothingAdded() {
        ByteBuffer buffer = ByteBuffer.allocate(8).limit(4);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.add(buffer, 1, 4));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.add(buffer, -1, 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.add(buffer, 0, -1));
        assertThat(payload.pieces()).isZero();
    }

    @Test
    void payloadBeyondTwoGibibytesIsRefusedAndNothingAdded() {
        ByteBuffer megabyte = ByteBuffer.allocate(1 << 20);
        for (int i = 0; i < 2047; i++) {
            payload.add(megabyte, 0, 1 << 20);
        }
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> payload.add(megabyte, 0, 1 << 20));
        assertThat(payload.pieces()).isEqualTo(2047);
        assertThat(payload.lengthBytes()).isEqualTo(2047 << 20);
    }

    @Test
    void copyLeavesPositionsAndNeighboursAlone() {
        ByteBuffer source = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).order(ByteOrder.LITTLE_ENDIAN);
        source.position(2);
        ByteBuffer destination = ByteBuffer.wrap(new byte[] {9, 9, 9, 9, 9, 9});
        destination.position(5);
        payload.add(source, 0, 4);

        payload.copyTo(1, destination, 2, 2);

        assertThat(source.position()).isEqualTo(2);
        assertThat(destination.position()).isEqualTo(5);
        assertThat(destination.array()).containsExactly(9, 9, 2, 3, 9, 9);
    }

    @Test
    void copyOutsidePayloadOrDestinationIsRefusedAndNothingCopied() {
        payload.add(ByteBuffer.wrap(new byte[] {1, 2}), 0, 2);
        payload.add(ByteBuffer.wrap(new byte[] {3, 4}), 0, 2);
        ByteBuffer destination = ByteBuffer.allocate(8).limit(4);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> payload.copyTo(1, destination, 0, 4));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> payload.copyTo(0, destination, 1, 4));
        assertThat(destination.array()).containsOnly(0);
    }
}
