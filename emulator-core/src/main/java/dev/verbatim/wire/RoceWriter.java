// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * Wraps packets into datagrams of RoCEv2: an IPv6 header, a UDP header to port 4791, the packet from BTH to pad, the ICRC.
 *
 * <p>The same packet on the same route gives the same bytes wherever it is wrapped. The UDP source port, which tells flows
 * apart, is 49152 and the low 14 bits of the destination queue pair; to queue pair 1 it is 55410, as measured of soft-RoCE, which
 * hashes the number. Traffic class, flow label and hop limit are the packet's.
 * The UDP checksum is the true one: without it a reader of IPv6 takes the datagram for a broken one, and the ICRC counts it
 * as ones anyway.
 *
 * <p>A writer is used again and again and allocates nothing; it belongs to one user at a time.
 */
public final class RoceWriter {
    /** Bytes before the packet: IPv6 and UDP. */
    public static final int HEADER_BYTES = RoceLayout.IPV6_HEADER_BYTES + RoceLayout.UDP_HEADER_BYTES;

    /** The longest datagram, with which the 16 bits of length in IPv6 and UDP are used up. */
    public static final int MOST_DATAGRAM_BYTES = RoceLayout.IPV6_HEADER_BYTES + (Layout.LOW_16_BITS & -Integer.BYTES);

    private static final int FIRST_DYNAMIC_PORT = 49152;
    private static final int FLOW_MASK = 0x3fff;
    private static final int MANAGEMENT_QP = 1;
    private static final int MANAGEMENT_PORT = 55_410;

    private final Icrc icrc = new Icrc();

    /** One that has written nothing yet. */
    public RoceWriter() {}

    /** Returns how many bytes {@link #write} will write. */
    public static int encodedLengthBytes(Packet packet) {
        return HEADER_BYTES + Math.addExact(PacketWriter.encodedLengthBytes(packet), Icrc.SIZE_BYTES);
    }

    /**
     * Writes a datagram. Positions are absolute: the target's position and byte order neither matter nor change.
     *
     * @param offset where the IPv6 header begins in the target
     * @return the number of bytes written
     * @throws IllegalArgumentException if it does not fit below the target's limit, if it exceeds
     *     {@link #MOST_DATAGRAM_BYTES}, or if it has payload and its opcode carries none
     */
    public int write(Packet packet, RoceRoute route, ByteBuffer target, int offset) {
        int length = encodedLengthBytes(packet);
        if (length > MOST_DATAGRAM_BYTES) {
            throw new IllegalArgumentException(packet.opcode() + " gives a datagram of lengthBytes=" + length + " > "
                    + MOST_DATAGRAM_BYTES + "; split the message at the path MTU");
        }
        if (offset < 0 || offset > target.limit() - length) {
            throw new IllegalArgumentException(packet.opcode() + " needs " + length + " bytes at offset=" + offset
                    + " but the target's limit=" + target.limit() + "; ask encodedLengthBytes first");
        }
        PacketWriter.write(packet, target, offset + HEADER_BYTES);
        GrhWriter.writeFields(packet, length - RoceLayout.IPV6_HEADER_BYTES, RoceLayout.PROTOCOL_UDP, target, offset);
        GrhWriter.writeSource(route.sourceHigh(), route.sourceLow(), target, offset);
        GrhWriter.writeDestination(route.destinationHigh(), route.destinationLow(), target, offset);
        int udp = offset + RoceLayout.IPV6_HEADER_BYTES;
        BigEndian.putShort(target, udp + RoceLayout.UDP_SOURCE_PORT, sourcePort(packet.destQp()));
        BigEndian.putShort(target, udp + RoceLayout.UDP_DESTINATION_PORT, RoceLayout.ROCE_PORT);
        BigEndian.putShort(target, udp + RoceLayout.UDP_LENGTH, length - RoceLayout.IPV6_HEADER_BYTES);
        int covered = length - Icrc.SIZE_BYTES;
        BigEndian.putInt(target, offset + covered, icrc.of(target, offset, covered));
        UdpChecksum.put(target, offset, length);
        return length;
    }

    private static int sourcePort(int destQp) {
        return destQp == MANAGEMENT_QP ? MANAGEMENT_PORT : FIRST_DYNAMIC_PORT | (destQp & FLOW_MASK);
    }
}
