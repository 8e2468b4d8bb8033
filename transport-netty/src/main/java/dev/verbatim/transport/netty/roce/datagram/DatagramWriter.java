// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import dev.verbatim.wire.Icrc;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketWriter;
import java.nio.ByteBuffer;

/** Writes packets with their ICRC, ready to be sent as the payload of UDP. Allocates nothing; for one user at a time. */
public final class DatagramWriter {

    private final Icrc icrc = new Icrc();
    private final boolean icrcMade;

    /** With {@code icrcMade} false the ICRC is 0, to measure what it costs. */
    public DatagramWriter(boolean icrcMade) {
        this.icrcMade = icrcMade;
    }

    /** Length of the payload of UDP that the packet becomes. */
    static int udpPayloadBytes(Packet packet) {
        return PacketWriter.encodedLengthBytes(packet) + Icrc.SIZE_BYTES;
    }

    /**
     * Writes the packet behind {@code header.sizeBytes()} bytes, which are overwritten.
     *
     * @param sourcePort UDP port of the socket that sends it
     * @param buffer big-endian, with room for header, packet and ICRC from index 0 on
     * @return length of the payload of UDP
     */
    public int write(Packet packet, IpUdpHeader header, int sourcePort, ByteBuffer buffer) {
        int packetAt = header.sizeBytes();
        int packetBytes = PacketWriter.write(packet, buffer, packetAt);
        int checksum = 0;
        if (icrcMade) {
            header.write(buffer, 0, sourcePort, packetBytes + Icrc.SIZE_BYTES);
            checksum = icrc.of(buffer, 0, packetAt + packetBytes);
        }
        buffer.putInt(packetAt + packetBytes, checksum);
        return packetBytes + Icrc.SIZE_BYTES;
    }
}
