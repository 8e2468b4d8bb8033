// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.WireFormatException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bytes as a stream of frames, however they are cut on their way: the packets come out of it that a plain reading finds, up to the
 * same refusal, and never is there no room for the next bytes.
 */
@Tag("smoke")
class StreamFuzzTest {

    private static final int CHECKSUM = 1;
    private static final int MENDED = 2;
    private static final int SETTINGS_BYTES = 3;

    /** The first byte is a set of settings, the next two say how the stream is cut. */
    @FuzzTest
    void stream(byte[] input) {
        int settings = input.length > 0 ? input[0] : 0;
        int seed = input.length >= SETTINGS_BYTES ? (input[1] & 0xff) << 8 | (input[2] & 0xff) | 1 << 16 : 1;
        boolean checksum = (settings & CHECKSUM) != 0;
        byte[] rest = Arrays.copyOfRange(input, Math.min(SETTINGS_BYTES, input.length), input.length);
        byte[] stream = (settings & MENDED) != 0 ? mended(rest, checksum) : rest;
        List<Object> whole = read(stream, checksum, 0);
        assertThat(read(stream, checksum, seed)).isEqualTo(whole);
        List<Object> packets = new ArrayList<>();
        boolean refused = isRefused(ByteBuffer.wrap(stream), checksum, packets);
        assertThat(whole.subList(0, whole.size() - (refused ? 1 : 0))).isEqualTo(packets);
        assertThat(!whole.isEmpty() && whole.get(whole.size() - 1) instanceof String)
                .isEqualTo(refused);
    }

    /** Reads the stream in the plainest way; whether it comes to something that is no frame. */
    private static boolean isRefused(ByteBuffer stream, boolean checksum, List<Object> packets) {
        while (stream.remaining() >= Integer.BYTES) {
            int length = stream.getInt();
            if (length < Header.BTH.sizeBytes() || length > TransportLimits.LARGEST_PACKET_BYTES) {
                return true;
            }
            if (stream.remaining() < length + (checksum ? Integer.BYTES : 0)) {
                return false;
            }
            byte[] packet = new byte[length];
            stream.get(packet);
            if (checksum && stream.getInt() != crcOf(packet)) {
                return true;
            }
            try {
                packets.add(PacketRecord.parse(packet));
            } catch (WireFormatException refused) {
                return true;
            }
        }
        return false;
    }

    private static int crcOf(byte[] packet) {
        CRC32C crc = new CRC32C();
        crc.update(packet);
        return (int) crc.getValue();
    }

    /** The packets, and behind them the refusal if there is one. */
    private static List<Object> read(byte[] stream, boolean checksum, int seed) {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        List<Object> seen = new ArrayList<>();
        ReadBuffer buffer = new ReadBuffer(buffers);
        Landing landing = new Landing(buffers);
        try {
            buffer.grow(TransportLimits.READ_BUFFER_BYTES);
            FrameReader reader = new FrameReader(buffer, checksum, landing, packet -> {
                PacketRecord record = PacketRecord.of(packet);
                assertThat(PacketRecord.parse(record.emit())).isEqualTo(record);
                return seen.add(record);
            });
            String refusal = null;
            Chunks chunks = new Chunks(stream, 0, seed);
            while (refusal == null && !chunks.isEmpty()) {
                ByteBuf bytes = buffer.newHandle().allocate(buffers);
                assertThat(bytes.writableBytes()).as("room").isPositive();
                bytes.writeBytes(chunks.next(bytes.writableBytes()));
                refusal = reader.read();
                bytes.release();
            }
            if (refusal != null) {
                assertThat(refusal).isNotBlank();
                seen.add(refusal);
            }
            return seen;
        } finally {
            buffer.release();
            landing.release();
            assertThat(buffers.metric().usedDirectMemory()).as("memory left").isZero();
        }
    }

    /** Each piece of the input, of the length that its first byte names, as a frame; unless its second byte spoils it. */
    private static byte[] mended(byte[] pieces, boolean checksum) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        int at = 0;
        while (at + 2 <= pieces.length) {
            int length = Math.min(pieces[at] & 0xff, pieces.length - at - 2);
            int spoilt = pieces[at + 1];
            byte[] packet = Arrays.copyOfRange(pieces, at + 2, at + 2 + length);
            stream.writeBytes(frame(packet, checksum, spoilt));
            at += 2 + length;
        }
        return stream.toByteArray();
    }

    private static byte[] frame(byte[] packet, boolean checksum, int spoilt) {
        ByteBuffer frame =
                ByteBuffer.allocate(WriteBatch.HEAD_BYTES + packet.length + (checksum ? WriteBatch.CHECKSUM_BYTES : 0));
        frame.putInt(packet.length + (spoilt == 1 ? 4 : 0)).put(packet);
        if (checksum) {
            frame.putInt(crcOf(packet) ^ (spoilt == 2 ? 1 : 0));
        }
        return frame.array();
    }

    @Test
    void seedsAreFramesOfPackets() throws IOException {
        byte[] write = PacketRecord.of(
                        Packets.write(Opcode.RDMA_WRITE_ONLY, 5, 0x7f00_0000_1000L, 0x105, 7, new byte[7]))
                .emit();
        byte[] ack = PacketRecord.of(Packets.ack(5)).emit();
        byte[] read = PacketRecord.of(Packets.readRequest(6, 0x7f00_0000_1000L, 0x105, 9))
                .emit();
        Seeds.assertKept(
                StreamFuzzTest.class,
                "stream",
                Map.of(
                        "frames", seed(0, frame(write, false, 0), frame(ack, false, 0), frame(read, false, 0)),
                        "frames-with-checksum", seed(CHECKSUM, frame(write, true, 0), frame(ack, true, 0)),
                        "pieces", seed(MENDED, piece(write, 0), piece(ack, 0), piece(read, 0)),
                        "pieces-with-checksum",
                                seed(MENDED | CHECKSUM, piece(write, 0), piece(ack, 0), piece(read, 2))));
    }

    private static byte[] piece(byte[] packet, int spoilt) {
        return ByteBuffer.allocate(2 + packet.length)
                .put((byte) packet.length)
                .put((byte) spoilt)
                .put(packet)
                .array();
    }

    private static byte[] seed(int settings, byte[]... parts) {
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        seed.writeBytes(new byte[] {(byte) settings, 1, 2});
        for (byte[] part : parts) {
            seed.writeBytes(part);
        }
        return seed.toByteArray();
    }
}
