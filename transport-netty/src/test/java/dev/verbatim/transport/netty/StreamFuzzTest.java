// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import dev.verbatim.transport.netty.frame.FrameReader;
import dev.verbatim.transport.netty.frame.GrhPart;
import dev.verbatim.transport.netty.frame.Landing;
import dev.verbatim.transport.netty.frame.ReadBuffer;
import dev.verbatim.transport.netty.frame.WriteBatch;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.GrhFields;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainFormat;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
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
 * Bytes as a stream of frames, however they are cut on their way and wherever long payloads land: the packets come out of it that a
 * plain reading finds, up to the same refusal; never is there no room for the next bytes; and no byte of the device's memory changes
 * that was not granted, or that was taken back.
 */
@Tag("smoke")
class StreamFuzzTest {

    private static final int CHECKSUM = 1;
    private static final int MENDED = 2;
    private static final int GRANTED = 4;
    private static final int TAKEN_BACK = 8;
    private static final int READ_STRAIGHT = 16;
    private static final int FAST_PATH = 32;
    private static final int SETTINGS_BYTES = 3;
    private static final int LONG_UNIT_BYTES = 4096;
    private static final int MOST_STREAM_BYTES = 1 << 19;

    private static final LandingGround GROUND = new LandingGround();

    /** The first byte is a set of settings, the next two say how the stream is cut. */
    @FuzzTest
    void stream(byte[] input) {
        int settings = input.length > 0 ? input[0] : 0;
        int seed = input.length >= SETTINGS_BYTES ? (input[1] & 0xff) << 8 | (input[2] & 0xff) | 1 << 16 : 1;
        byte[] rest = Arrays.copyOfRange(input, Math.min(SETTINGS_BYTES, input.length), input.length);
        byte[] stream = (settings & MENDED) != 0 ? mended(rest, (settings & CHECKSUM) != 0) : rest;
        List<Object> expected = new ArrayList<>();
        boolean refused = isRefused(ByteBuffer.wrap(stream), (settings & CHECKSUM) != 0, expected);
        List<Object> seen = read(stream, settings & CHECKSUM, 0);
        assertThat(seen.subList(0, Math.min(seen.size(), expected.size()))).isEqualTo(expected);
        assertThat(seen.size() > expected.size()).as("refused: %s", seen).isEqualTo(refused);
        seen = read(stream, settings, seed);
        assertThat(seen.subList(0, Math.min(seen.size(), expected.size()))).isEqualTo(expected);
        assertThat(seen.size() > expected.size()).as("refused: %s", seen).isEqualTo(refused);
    }

    /** Reads the stream in the plainest way; whether it comes to something that is no frame. */
    private static boolean isRefused(ByteBuffer stream, boolean checksum, List<Object> packets) {
        while (stream.remaining() >= Integer.BYTES) {
            int head = stream.getInt();
            int count = (head >>> WriteBatch.PACKETS_SHIFT & WriteBatch.PACKETS_MASK) + 1;
            boolean hasWay = (head & GrhPart.FLAG) != 0;
            int wayBytes = hasWay ? GrhPart.SIZE_BYTES : 0;
            int length = head & WriteBatch.LENGTH_MASK;
            int most = count == 1 ? TransportLimits.LARGEST_PACKET_BYTES : TransportLimits.LARGEST_RUN_BYTES;
            if (length < Header.BTH.sizeBytes()
                    || length > most
                    || count > SegmentRun.MOST_PACKETS
                    || hasWay && count > 1) {
                return true;
            }
            if (stream.remaining() < wayBytes + length + (checksum ? Integer.BYTES : 0)) {
                return !hasWay && isRefusedEarly(stream, length, count);
            }
            byte[] covered = new byte[wayBytes + length];
            stream.get(covered);
            if (checksum && stream.getInt() != crcOf(covered)) {
                return true;
            }
            try {
                PacketRecord record = PacketRecord.parse(Arrays.copyOfRange(covered, wayBytes, covered.length));
                if (hasWay != record.opcode().has(Header.DETH)) {
                    return true;
                }
                if (hasWay) {
                    ByteBuffer way = ByteBuffer.wrap(covered);
                    if (way.getInt(0) >>> 28 != 0 || way.getInt(4) >>> 8 != 0) {
                        return true;
                    }
                    record = new PacketRecord(
                            record.bth(),
                            record.extensions(),
                            record.payload(),
                            new GrhFields(way.getInt(0) >>> 20, way.getInt(0) & 0xf_ffff, way.getInt(4)));
                }
                int payloadBytes = record.payload().lengthBytes();
                if (count > 1 && !SegmentRun.isOne(record.opcode(), payloadBytes, count)) {
                    return true;
                }
                packets.add(record);
                packets.add(count);
            } catch (WireFormatException refused) {
                return true;
            }
        }
        return false;
    }

    /** Of a long frame that has not come to its end the headers are judged already. */
    private static boolean isRefusedEarly(ByteBuffer stream, int length, int count) {
        if (length < Opcode.LONGEST_HEADERS_BYTES + TransportLimits.SHORTEST_LANDING_BYTES
                || stream.remaining() < Opcode.LONGEST_HEADERS_BYTES) {
            return false;
        }
        byte[] packet = new byte[length];
        stream.get(packet, 0, Math.min(length, stream.remaining()));
        try {
            PacketRecord record = PacketRecord.parse(packet);
            return record.opcode().has(Header.DETH)
                    || count > 1
                            && !SegmentRun.isOne(
                                    record.opcode(), record.payload().lengthBytes(), count);
        } catch (WireFormatException refused) {
            return true;
        }
    }

    private static int crcOf(byte[] packet) {
        CRC32C crc = new CRC32C();
        crc.update(packet);
        return (int) crc.getValue();
    }

    /** The packets, and behind them the refusal if there is one. */
    private static List<Object> read(byte[] stream, int settings, int seed) {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        ReadBuffer buffer = new ReadBuffer(buffers, Hello.SIZE_BYTES);
        Landing landing = new Landing(buffers);
        Arrivals arrivals = new Arrivals((settings & GRANTED) != 0, (settings & FAST_PATH) != 0);
        try {
            buffer.grow(TransportLimits.READ_BUFFER_BYTES);
            FrameReader reader = new FrameReader(buffer, (settings & CHECKSUM) != 0, landing, arrivals);
            String refusal = null;
            Chunks chunks = new Chunks(stream, 0, seed);
            while (refusal == null && !chunks.isEmpty()) {
                if ((settings & READ_STRAIGHT) != 0 && landing.isOpen() && landing.missingBytes() > 0) {
                    byte[] chunk = chunks.next(landing.missingBytes());
                    landing.buffer().put(landing.nextIndex(), chunk);
                    landing.filled(chunk.length);
                } else {
                    ByteBuf bytes = buffer.newHandle().allocate(buffers);
                    assertThat(bytes.writableBytes()).as("room").isPositive();
                    bytes.writeBytes(chunks.next(bytes.writableBytes()));
                    bytes.release();
                }
                refusal = reader.read();
                if ((settings & TAKEN_BACK) != 0 && chunks.isEven()) {
                    landing.letGo(GROUND.memory());
                    GROUND.takeBack();
                }
            }
            if (refusal != null) {
                assertThat(refusal).isNotBlank();
                arrivals.seen.add(refusal);
            }
            return arrivals.seen;
        } finally {
            landing.release();
            GROUND.takeBack();
            buffer.release();
            assertThat(buffers.metric().usedDirectMemory()).as("memory left").isZero();
        }
    }

    /** What came; where it may, a payload lands on the ground. */
    private static final class Arrivals implements FrameReader.Sink {

        private final List<Object> seen = new ArrayList<>();
        private final boolean grants;
        private final boolean fastPath;
        private final ByteBuffer plain = ByteBuffer.allocate(TransportLimits.LARGEST_PACKET_BYTES);

        Arrivals(boolean grants, boolean fastPath) {
            this.grants = grants;
            this.fastPath = fastPath;
        }

        @Override
        public boolean takePlain(PlainRequest request) {
            return fastPath && addPlain(PlainFormat.write(request, plain, 0));
        }

        @Override
        public boolean takePlain(PlainAnswer answer) {
            return fastPath && addPlain(PlainFormat.write(answer, plain, 0));
        }

        private boolean addPlain(int lengthBytes) {
            seen.add(PacketRecord.parse(Arrays.copyOf(plain.array(), lengthBytes)));
            seen.add(1);
            GROUND.takeBack();
            return true;
        }

        @Override
        public boolean take(Packet packet) {
            seen.add(PacketRecord.of(packet));
            seen.add(packet.packets());
            GROUND.takeBack();
            return true;
        }

        @Override
        public boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
            if (grants) {
                GROUND.grant(place, payloadLengthBytes);
            }
            return grants;
        }
    }

    /**
     * Each piece of the input, of the length that its first byte names, as a frame. Its second byte may spoil it, or add so much
     * payload that it is a long run.
     */
    private static byte[] mended(byte[] pieces, boolean checksum) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        int at = 0;
        while (at + 2 <= pieces.length && stream.size() < MOST_STREAM_BYTES) {
            int length = Math.min(pieces[at] & 0xff, pieces.length - at - 2);
            int spoilt = pieces[at + 1] & 3;
            int more = (pieces[at + 1] & 0xff) >> 2;
            byte[] packet = Arrays.copyOfRange(pieces, at + 2, at + 2 + length + more * LONG_UNIT_BYTES);
            for (int i = at + 2 + length; i < at + 2 + packet.length; i++) {
                packet[i - at - 2] = (byte) (i * 7);
            }
            stream.writeBytes(frame(packet, more + 1, checksum, spoilt));
            at += 2 + length;
        }
        return stream.toByteArray();
    }

    private static byte[] frame(byte[] packet, int count, boolean checksum, int spoilt) {
        Opcode opcode = packet.length == 0 ? null : Opcode.of(packet[0] & 0xff);
        boolean hasWay = opcode != null && opcode.has(Header.DETH);
        byte[] covered = packet;
        if (hasWay) {
            covered = ByteBuffer.allocate(GrhPart.SIZE_BYTES + packet.length)
                    .putInt(0xa5f_1234)
                    .putInt(spoilt == 3 ? 256 : 7)
                    .put(packet)
                    .array();
        }
        ByteBuffer frame = ByteBuffer.allocate(
                WriteBatch.HEAD_BYTES + covered.length + (checksum ? WriteBatch.CHECKSUM_BYTES : 0));
        int way = hasWay ? GrhPart.FLAG : 0;
        frame.putInt(way | count - 1 << WriteBatch.PACKETS_SHIFT | packet.length + (spoilt == 1 ? 4 : 0))
                .put(covered);
        if (checksum) {
            frame.putInt(crcOf(covered) ^ (spoilt == 2 ? 1 : 0));
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
        byte[] datagram = PacketRecord.of(Packets.packet(Opcode.UD_SEND_ONLY, 5, new byte[8]))
                .emit();
        byte[] answer = PacketRecord.of(Packets.readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 6, new byte[9]))
                .emit();
        byte[] sum = PacketRecord.of(Packets.packet(Opcode.ATOMIC_ACKNOWLEDGE, 7)
                        .syndrome(0x1f)
                        .originalData(42))
                .emit();
        Seeds.assertKept(
                StreamFuzzTest.class,
                "stream",
                Map.of(
                        "datagrams", seed(MENDED | CHECKSUM, piece(datagram, 0), piece(ack, 0), piece(datagram, 3)),
                        "frames", seed(0, frame(write, 1, false, 0), frame(ack, 1, false, 0), frame(read, 1, false, 0)),
                        "frames-with-checksum", seed(CHECKSUM, frame(write, 1, true, 0), frame(ack, 1, true, 0)),
                        "pieces", seed(MENDED, piece(write, 0), piece(ack, 0), piece(read, 0)),
                        "pieces-with-checksum", seed(MENDED | CHECKSUM, piece(write, 0), piece(ack, 0), piece(read, 2)),
                        "landing", seed(MENDED | GRANTED, piece(write, 20 << 2), piece(ack, 0), piece(write, 63 << 2)),
                        "landing-straight", seed(MENDED | GRANTED | READ_STRAIGHT, piece(write, 9 << 2), piece(ack, 0)),
                        "landing-taken-back", seed(MENDED | GRANTED | TAKEN_BACK, piece(write, 30 << 2), piece(ack, 0)),
                        "fast-path",
                                seed(
                                        MENDED | FAST_PATH,
                                        piece(write, 0),
                                        piece(answer, 0),
                                        piece(read, 0),
                                        piece(sum, 0),
                                        piece(answer, 1)),
                        "landing-nowhere", seed(MENDED | CHECKSUM, piece(write, 20 << 2), piece(ack, 0))));
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
