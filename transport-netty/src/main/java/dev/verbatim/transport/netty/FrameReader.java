// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets out of the bytes of a connection: each is a length of four bytes, the packet from BTH to pad, and the
 * CRC32C of these if both ends wanted one. They are parsed where they lie, into one packet that is used again.
 */
final class FrameReader {

    /** Where packets go; each is valid during the call only. */
    @FunctionalInterface
    interface Sink {

        /** Takes one; whether to go on. */
        boolean take(Packet packet);
    }

    private final ReadBuffer buffer;
    private final boolean checksum;
    private final Sink sink;
    private final PacketView view = new PacketView();
    private final Packet packet = new Packet();
    private final CRC32C crc = new CRC32C();

    FrameReader(ReadBuffer buffer, boolean checksum, Sink sink) {
        this.buffer = buffer;
        this.checksum = checksum;
        this.sink = sink;
    }

    /**
     * Passes on all packets that have arrived whole.
     *
     * @return null, or a sentence that says what is wrong with the stream
     */
    @Nullable
    String read() {
        ByteBuffer bytes = buffer.view();
        int at = buffer.start();
        int end = buffer.end();
        String refusal = null;
        while (refusal == null && end - at >= WriteBatch.LENGTH_BYTES) {
            int packetBytes = bytes.getInt(at);
            if (packetBytes < TransportLimits.SMALLEST_PACKET_BYTES
                    || packetBytes > TransportLimits.LARGEST_PACKET_BYTES) {
                refusal = "packetBytes=" + packetBytes + " is not in " + TransportLimits.SMALLEST_PACKET_BYTES + ".."
                        + TransportLimits.LARGEST_PACKET_BYTES + "; what came is no stream of packets";
                break;
            }
            int packetAt = at + WriteBatch.LENGTH_BYTES;
            int next = packetAt + packetBytes + (checksum ? WriteBatch.CHECKSUM_BYTES : 0);
            if (next > end) {
                break;
            }
            refusal = refusalOf(bytes, packetAt, packetBytes);
            at = next;
            if (refusal == null && !pass()) {
                break;
            }
        }
        buffer.readTo(at);
        return refusal;
    }

    private @Nullable String refusalOf(ByteBuffer bytes, int packetAt, int packetBytes) {
        if (checksum) {
            int expected = WriteBatch.checksumOf(crc, bytes, packetAt, packetBytes);
            int carried = bytes.getInt(packetAt + packetBytes);
            if (carried != expected) {
                return "checksum=0x" + Integer.toHexString(carried) + " != crc32c=0x" + Integer.toHexString(expected)
                        + " of " + packetBytes + " bytes; something between the two ends changes what it carries";
            }
        }
        return view.wrap(bytes, packetAt, packetBytes);
    }

    private boolean pass() {
        view.readInto(packet);
        boolean goOn = sink.take(packet);
        packet.payload().clear();
        return goOn;
    }
}
