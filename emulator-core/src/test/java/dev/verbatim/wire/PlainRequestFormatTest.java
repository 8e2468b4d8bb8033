// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Tries;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plain request has the bytes of its packet, and bytes are read as one only if the reader of packets sees the same in them. */
@Tag("smoke")
class PlainRequestFormatTest {

    private static final int FRAMES = Tries.of("fastpath.frames", 100_000, 10_000_000);
    private static final int FIRST = 16;
    private static final int MOST_PAYLOAD_BYTES = 64;
    private static final Opcode[] PLAIN = {
        Opcode.RDMA_WRITE_ONLY, Opcode.SEND_ONLY, Opcode.RDMA_READ_REQUEST, Opcode.FETCH_ADD, Opcode.COMPARE_SWAP
    };

    private final Random random = new Random(1);
    private final ByteBuffer source = ByteBuffer.allocateDirect(4096);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(512);
    private final ByteBuffer expected = ByteBuffer.allocateDirect(512);
    private final PlainRequest request = new PlainRequest();
    private final PlainRequest readBack = new PlainRequest();
    private final PacketView view = new PacketView();
    private final Packet packet = new Packet();

    @Test
    void bytesAreThoseOfThePacket() {
        fill(source);
        for (int i = 0; i < 10_000; i++) {
            draw();
            int length = PlainRequestFormat.write(request, bytes, FIRST);
            assertThat(length).isEqualTo(PlainRequestFormat.encodedLengthBytes(request));
            toPacket();
            assertThat(PacketWriter.write(packet, expected, FIRST)).isEqualTo(length);
            assertThat(bytes.slice(FIRST, length)).as(request.toString()).isEqualTo(expected.slice(FIRST, length));
        }
    }

    @Test
    void bytesOfAPeerAreReadAlikeByBoth() {
        fill(source);
        int plain = 0;
        for (int i = 0; i < FRAMES; i++) {
            draw();
            int length = PlainRequestFormat.write(request, bytes, FIRST);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int at = FIRST + random.nextInt(random.nextBoolean() ? Math.min(length, 28) : length);
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            }
            int shown = random.nextInt(8) == 0 ? random.nextInt(length + 8) : length;
            if (PlainRequestFormat.read(bytes, FIRST, shown, readBack)) {
                plain++;
                assertReadAlike(shown);
            }
        }
        assertThat(plain).isGreaterThan(FRAMES / 4);
    }

    private void assertReadAlike(int length) {
        if (view.wrap(bytes, FIRST, length) != null) {
            throw new AssertionError("no packet, but read as " + readBack);
        }
        view.readInto(packet);
        boolean isAtomic = packet.opcode().has(Header.ATOMIC_ETH);
        boolean same = packet.opcode() == readBack.opcode
                && packet.destQp() == readBack.destQp
                && packet.psn() == readBack.psn
                && packet.ackRequest()
                && packet.pkey() == Packet.DEFAULT_PKEY
                && packet.migRequest()
                && !(packet.solicited() || packet.fecn() || packet.becn())
                && packet.payload().lengthBytes() == (packet.opcode().carriesPayload() ? readBack.lengthBytes : 0);
        if (packet.opcode() != Opcode.SEND_ONLY) {
            same &= packet.remoteAddress() == readBack.remoteAddress && packet.remoteKey() == readBack.remoteKey;
            same &= isAtomic
                    ? packet.swapOrAdd() == readBack.swapOrAdd && packet.compare() == readBack.compare
                    : packet.dmaLengthBytes() == readBack.lengthBytes;
        }
        if (packet.payload().lengthBytes() > 0) {
            same &= packet.payload().offset(0) == readBack.index;
        }
        if (!same || readBack.lengthBytes <= 0) {
            throw new AssertionError(packet + " was read as " + readBack);
        }
    }

    private void draw() {
        request.opcode = PLAIN[random.nextInt(PLAIN.length)];
        request.destQp = random.nextInt(1 << 24);
        request.psn = random.nextInt(1 << 24);
        boolean isSend = request.opcode == Opcode.SEND_ONLY;
        boolean isAtomic = request.opcode.has(Header.ATOMIC_ETH);
        request.remoteAddress = isSend ? 0 : random.nextLong();
        request.remoteKey = isSend ? 0 : random.nextInt();
        request.lengthBytes = isAtomic ? 8 : 1 + random.nextInt(random.nextBoolean() ? 8 : MOST_PAYLOAD_BYTES);
        request.swapOrAdd = random.nextLong();
        request.compare = request.opcode == Opcode.COMPARE_SWAP ? random.nextLong() : 0;
        request.buffer = source;
        request.index = random.nextInt(source.capacity() - MOST_PAYLOAD_BYTES);
    }

    private void toPacket() {
        packet.begin(request.opcode, request.destQp, request.psn)
                .ackRequest(true)
                .remoteAddress(request.remoteAddress)
                .remoteKey(request.remoteKey)
                .dmaLengthBytes(request.lengthBytes)
                .swapOrAdd(request.swapOrAdd)
                .compare(request.compare);
        if (request.opcode.carriesPayload()) {
            packet.payload().add(source, request.index, request.lengthBytes);
        }
    }

    private void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) random.nextInt());
        }
    }
}
