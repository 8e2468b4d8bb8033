// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Tries;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plain request or answer has the bytes of its packet, and bytes are read as one only if the reader of packets sees the same in them. */
@Tag("smoke")
class PlainFormatTest {

    private static final int FRAMES = Tries.of("fastpath.frames", 50_000, 100_000, 10_000_000);
    private static final int FIRST = 16;
    private static final int MOST_PAYLOAD_BYTES = 64;
    private static final Opcode[] PLAIN = {
        Opcode.RDMA_WRITE_ONLY, Opcode.SEND_ONLY, Opcode.RDMA_READ_REQUEST, Opcode.FETCH_ADD, Opcode.COMPARE_SWAP
    };

    private static final Opcode[] ANSWERS = {
        Opcode.ACKNOWLEDGE, Opcode.RDMA_READ_RESPONSE_ONLY, Opcode.ATOMIC_ACKNOWLEDGE
    };

    private final Random random = new Random(1);
    private final ByteBuffer source = ByteBuffer.allocateDirect(4096);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(512);
    private final ByteBuffer expected = ByteBuffer.allocateDirect(512);
    private final PlainRequest request = new PlainRequest();
    private final PlainRequest readBack = new PlainRequest();
    private final PlainAnswer answer = new PlainAnswer();
    private final PlainAnswer answerBack = new PlainAnswer();
    private final PacketView view = new PacketView();
    private final Packet packet = new Packet();

    @Test
    void bytesAreThoseOfThePacket() {
        fill(source);
        for (int i = 0; i < 10_000; i++) {
            draw();
            int length = PlainFormat.write(request, bytes, FIRST);
            assertThat(length).isEqualTo(PlainFormat.encodedLengthBytes(request));
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
            int length = PlainFormat.write(request, bytes, FIRST);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int at = FIRST + random.nextInt(random.nextBoolean() ? Math.min(length, 28) : length);
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            }
            int shown = random.nextInt(8) == 0 ? random.nextInt(length + 8) : length;
            if (PlainFormat.read(bytes, FIRST, shown, readBack)) {
                plain++;
                assertReadAlike(shown);
            }
        }
        assertThat(plain).isGreaterThan(FRAMES / 4);
    }

    @Test
    void bytesOfAnAnswerAreThoseOfThePacket() {
        fill(source);
        for (int i = 0; i < 10_000; i++) {
            drawAnswer();
            int length = PlainFormat.write(answer, bytes, FIRST);
            packet.begin(answer.opcode, answer.destQp, answer.psn)
                    .answer(Syndrome.ACK_NO_CREDIT, answer.messageSequence);
            if (answer.opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
                packet.originalData(answer.originalData);
            } else if (answer.opcode != Opcode.ACKNOWLEDGE) {
                packet.payload().add(source, answer.index, answer.lengthBytes);
            }
            assertThat(PacketWriter.write(packet, expected, FIRST)).isEqualTo(length);
            assertThat(bytes.slice(FIRST, length)).as(answer.toString()).isEqualTo(expected.slice(FIRST, length));
            assertThat(PlainFormat.read(bytes, FIRST, length, answerBack)).isTrue();
            assertAnswerReadAlike(length);
        }
    }

    @Test
    void bytesOfAnAnsweringPeerAreReadAlikeByBoth() {
        fill(source);
        int plain = 0;
        for (int i = 0; i < FRAMES; i++) {
            drawAnswer();
            int length = PlainFormat.write(answer, bytes, FIRST);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int at = FIRST + random.nextInt(random.nextBoolean() ? Math.min(length, 16) : length);
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            }
            int shown = random.nextInt(8) == 0 ? random.nextInt(length + 8) : length;
            boolean isRequest = PlainFormat.read(bytes, FIRST, shown, readBack);
            if (PlainFormat.read(bytes, FIRST, shown, answerBack)) {
                plain++;
                assertThat(isRequest).isFalse();
                assertAnswerReadAlike(shown);
            }
        }
        assertThat(plain).isGreaterThan(FRAMES / 4);
    }

    private void drawAnswer() {
        answer.opcode = ANSWERS[random.nextInt(ANSWERS.length)];
        answer.destQp = random.nextInt(1 << 24);
        answer.psn = random.nextInt(1 << 24);
        answer.messageSequence = random.nextInt(1 << 24);
        answer.lengthBytes = switch (answer.opcode) {
            case ACKNOWLEDGE -> 0;
            case ATOMIC_ACKNOWLEDGE -> 8;
            default -> 1 + random.nextInt(random.nextBoolean() ? 8 : MOST_PAYLOAD_BYTES);
        };
        answer.originalData = random.nextLong();
        answer.buffer = source;
        answer.index = random.nextInt(source.capacity() - MOST_PAYLOAD_BYTES);
    }

    private void assertAnswerReadAlike(int length) {
        if (view.wrap(bytes, FIRST, length) != null) {
            throw new AssertionError("no packet, but read as " + answerBack);
        }
        view.readInto(packet);
        boolean isAtomic = packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE;
        boolean same = packet.opcode() == answerBack.opcode
                && packet.destQp() == answerBack.destQp
                && packet.psn() == answerBack.psn
                && packet.messageSequence() == answerBack.messageSequence
                && packet.syndrome() == Syndrome.ACK_NO_CREDIT
                && packet.pkey() == Packet.DEFAULT_PKEY
                && packet.migRequest()
                && !(packet.ackRequest() || packet.solicited() || packet.fecn() || packet.becn());
        same &= isAtomic
                ? packet.originalData() == answerBack.originalData && answerBack.lengthBytes == 8
                : packet.payload().lengthBytes() == answerBack.lengthBytes
                        && (answerBack.lengthBytes == 0 || packet.payload().offset(0) == answerBack.index);
        same &= answerBack.lengthBytes > 0 || packet.opcode() == Opcode.ACKNOWLEDGE;
        if (!same) {
            throw new AssertionError(packet + " was read as " + answerBack);
        }
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
