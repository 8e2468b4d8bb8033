// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.frame;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketView;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainFormat;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets out of the bytes of a connection: each is a head of four bytes (see {@link WriteBatch}), before a datagram its
 * {@link GrhPart}, the packet from BTH to pad, and the CRC32C of all behind the head if both ends wanted one. Short ones are parsed where they lie, into one packet that is used again;
 * the payload of a long one lands.
 */
public final class FrameReader {

    /** Where packets go; each is valid during the call only. */
    public interface Sink {

        /** Takes one; whether to go on. */
        boolean take(Packet packet);

        /** Takes a request on the fast path; false if it is to come as a packet. */
        default boolean takePlain(PlainRequest request) {
            return false;
        }

        /** Takes an answer on the fast path; false if it is to come as a packet. */
        default boolean takePlain(PlainAnswer answer) {
            return false;
        }

        /** Where the payload of a packet belongs of which only the headers are there; whether {@code place} was set. */
        default boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
            return false;
        }
    }

    /** These come last, and are put in place by the device, when all others are there. */
    private static final int LAST_BYTES = Long.BYTES;

    private final ReadBuffer buffer;
    private final boolean checksum;
    private final Sink sink;
    private final Landing landing;
    private final PacketView view = new PacketView();
    private final Packet packet = new Packet();
    private final PlainRequest plainRequest = new PlainRequest();
    private final PlainAnswer plainAnswer = new PlainAnswer();
    private final CRC32C crc = new CRC32C();
    private int behindLandingBytes;
    private boolean landedLast;
    private int at;
    private @Nullable String refusal;

    public FrameReader(ReadBuffer buffer, boolean checksum, Landing landing, Sink sink) {
        this.buffer = buffer;
        this.checksum = checksum;
        this.landing = landing;
        this.sink = sink;
    }

    /** Whether a long payload is coming in, or the last one was, so that another is likely. */
    public boolean expectsLanding() {
        return landing.isOpen() || landedLast;
    }

    /**
     * Passes on all packets that have arrived whole.
     *
     * @return null, or a sentence that says what is wrong with the stream
     */
    @Nullable
    public String read() {
        at = buffer.start();
        refusal = null;
        boolean goOn = true;
        while (goOn) {
            goOn = landing.isOpen() ? readLanding() : readFrame();
        }
        buffer.readTo(at);
        return refusal;
    }

    /** Takes what has come of the next frame; whether to go on behind it, or with its payload. */
    private boolean readFrame() {
        ByteBuffer bytes = buffer.view();
        int arrived = buffer.end() - at;
        if (arrived < WriteBatch.HEAD_BYTES) {
            return false;
        }
        int head = bytes.getInt(at);
        if (readPlain(bytes, head, arrived)) {
            return true;
        }
        int packets = (head >>> WriteBatch.PACKETS_SHIFT & WriteBatch.PACKETS_MASK) + 1;
        int packetBytes = head & WriteBatch.LENGTH_MASK;
        int partBytes = (head & GrhPart.FLAG) == 0 ? 0 : GrhPart.SIZE_BYTES;
        refusal = refusalOfHead(packets, packetBytes, partBytes > 0);
        int frameBytes = WriteBatch.HEAD_BYTES + partBytes + packetBytes + (checksum ? WriteBatch.CHECKSUM_BYTES : 0);
        if (refusal != null) {
            return false;
        }
        if (arrived >= frameBytes) {
            refusal = readWhole(at + WriteBatch.HEAD_BYTES, partBytes, packetBytes, packets);
            at += frameBytes;
            landedLast = false;
            return refusal == null && pass();
        }
        int headBytes = WriteBatch.HEAD_BYTES + Opcode.LONGEST_HEADERS_BYTES;
        if (partBytes > 0
                || packetBytes < Opcode.LONGEST_HEADERS_BYTES + TransportLimits.SHORTEST_LANDING_BYTES
                || arrived < headBytes) {
            return false;
        }
        refusal = openLanding(at + WriteBatch.HEAD_BYTES, packetBytes, packets);
        return refusal == null;
    }

    /** Takes a whole frame on the fast path: its head has neither a number of packets nor a flag, but a length that is in range. */
    private boolean readPlain(ByteBuffer bytes, int head, int arrived) {
        int packetAt = at + WriteBatch.HEAD_BYTES;
        boolean isWhole = head > 0
                && head <= TransportLimits.LARGEST_PACKET_BYTES
                && head <= arrived - WriteBatch.HEAD_BYTES
                && !checksum;
        if (!isWhole || !takePlain(bytes, packetAt, head)) {
            return false;
        }
        at = packetAt + head;
        landedLast = false;
        return true;
    }

    private boolean takePlain(ByteBuffer bytes, int packetAt, int packetBytes) {
        return PlainFormat.read(bytes, packetAt, packetBytes, plainRequest)
                ? sink.takePlain(plainRequest)
                : PlainFormat.read(bytes, packetAt, packetBytes, plainAnswer) && sink.takePlain(plainAnswer);
    }

    /** What is refused here need not be waited for: the buffer has room for any frame that passes, and for no larger one. */
    private static @Nullable String refusalOfHead(int packets, int packetBytes, boolean hasPart) {
        int most = packets == 1 ? TransportLimits.LARGEST_PACKET_BYTES : TransportLimits.LARGEST_RUN_BYTES;
        boolean isInRange = packetBytes >= TransportLimits.SMALLEST_PACKET_BYTES
                && packetBytes <= most
                && packets <= SegmentRun.MOST_PACKETS;
        if (isInRange && hasPart && packets > 1) {
            return "packets=" + packets
                    + " in a frame of a datagram, which has one; run the same Verbatim at both ends";
        }
        if (isInRange) {
            return null;
        }
        return "packetBytes=" + packetBytes + " is not in " + TransportLimits.SMALLEST_PACKET_BYTES + ".." + most
                + " or packets=" + packets + " not in 1.." + SegmentRun.MOST_PACKETS
                + "; what came is no stream of packets";
    }

    private @Nullable String readWhole(int partAt, int partBytes, int packetBytes, int packets) {
        ByteBuffer bytes = buffer.view();
        int packetAt = partAt + partBytes;
        if (checksum) {
            int expected = WriteBatch.checksumOf(crc, bytes, partAt, partBytes + packetBytes);
            String wrong = refusalOfChecksum(bytes.getInt(packetAt + packetBytes), expected, packetBytes);
            if (wrong != null) {
                return wrong;
            }
        }
        String wrong = view.wrap(bytes, packetAt, packetBytes);
        if (wrong == null) {
            view.readInto(packet);
            packet.packets(packets);
            wrong = refusalOfKind(partBytes > 0, packet.payload().lengthBytes());
        }
        return wrong == null && partBytes > 0 ? GrhPart.read(bytes, partAt, packet) : wrong;
    }

    /** The frame's payload is too long to wait for: lets it land from here on. */
    private @Nullable String openLanding(int packetAt, int packetBytes, int packets) {
        String wrong = view.wrapHead(buffer.view(), packetAt, Opcode.LONGEST_HEADERS_BYTES, packetBytes);
        if (wrong != null) {
            return wrong;
        }
        view.readHeadInto(packet);
        packet.packets(packets);
        int payloadBytes = view.payloadLengthBytes();
        wrong = refusalOfKind(false, payloadBytes);
        if (wrong != null) {
            return wrong;
        }
        if (checksum) {
            crc.reset();
            WriteBatch.addToChecksum(crc, buffer.view(), packetAt, view.payloadOffset() - packetAt);
        }
        // Bytes whose checksum is not verified are not delivered.
        boolean granted = !checksum && sink.land(packet, payloadBytes, landing.place());
        landing.open(payloadBytes - LAST_BYTES, granted);
        behindLandingBytes = LAST_BYTES + view.padCount() + (checksum ? WriteBatch.CHECKSUM_BYTES : 0);
        at = view.payloadOffset();
        return null;
    }

    /** Takes what has come of a payload that lands, and what is behind it; whether to go on behind the frame. */
    private boolean readLanding() {
        ByteBuffer bytes = buffer.view();
        at += landing.take(bytes, at, buffer.end() - at);
        if (landing.missingBytes() > 0 || buffer.end() - at < behindLandingBytes) {
            return false;
        }
        landing.finish(packet.payload());
        if (checksum) {
            int lastBytes = behindLandingBytes - WriteBatch.CHECKSUM_BYTES;
            WriteBatch.addToChecksum(crc, landing.buffer(), 0, packet.payload().lengthBytes());
            WriteBatch.addToChecksum(crc, bytes, at, lastBytes);
            refusal = refusalOfChecksum(
                    bytes.getInt(at + lastBytes),
                    (int) crc.getValue(),
                    packet.payload().lengthBytes());
        }
        packet.payload().add(bytes, at, LAST_BYTES);
        at += behindLandingBytes;
        landedLast = true;
        return refusal == null && pass();
    }

    private @Nullable String refusalOfKind(boolean hasPart, int payloadBytes) {
        if (hasPart != GrhPart.isOf(packet)) {
            return packet + (hasPart ? " has" : " lacks")
                    + " what stands before a datagram, and only there; run the same Verbatim at both ends";
        }
        return packet.packets() == 1 || SegmentRun.isOne(packet.opcode(), payloadBytes, packet.packets())
                ? null
                : packet + " with payload=" + payloadBytes
                        + " is no run of that many packets; run the same Verbatim at both ends";
    }

    private static @Nullable String refusalOfChecksum(int carried, int expected, int bytes) {
        return carried == expected
                ? null
                : "checksum=0x" + Integer.toHexString(carried) + " != crc32c=0x" + Integer.toHexString(expected)
                        + " of " + bytes + " bytes; something between the two ends changes what it carries";
    }

    private boolean pass() {
        boolean goOn = sink.take(packet);
        packet.payload().clear();
        return goOn;
    }
}
