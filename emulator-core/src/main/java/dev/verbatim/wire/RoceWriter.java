// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * Wraps packets into datagrams of RoCEv2: a header of IPv4 or IPv6, a UDP header to port 4791, the packet from BTH to pad, the
 * ICRC. The route says which header it is.
 *
 * <p>The same packet on the same route gives the same bytes wherever it is wrapped. The UDP source port, which tells flows
 * apart, is 49152 and the low 14 bits of the destination queue pair; to queue pair 1 it is 55410, as measured of soft-RoCE, which
 * hashes the number. Traffic class, flow label and hop limit are the packet's; IPv4 has no place for a flow label. Its
 * identification is 0, which the ICRC covers, and it must not be fragmented.
 * The UDP checksum is the true one: without it a reader of IPv6 takes the datagram for a broken one, and the ICRC counts it
 * as ones anyway.
 *
 * <p>A writer is used again and again and allocates nothing; it belongs to one user at a time.
 */
public final class RoceWriter {
    private static final int IPV4_MOST_UDP_BYTES =
            Layout.LOW_16_BITS - RoceLayout.IPV4_MIN_HEADER_BYTES & -Integer.BYTES;
    private static final int IPV6_MOST_UDP_BYTES = Layout.LOW_16_BITS & -Integer.BYTES;

    private static final int FIRST_DYNAMIC_PORT = 49152;
    private static final int FLOW_MASK = 0x3fff;
    private static final int MANAGEMENT_QP = 1;
    private static final int MANAGEMENT_PORT = 55_410;

    private final Icrc icrc = new Icrc();

    /** A new writer. */
    public RoceWriter() {}

    /** Returns how many bytes lie before the packet: IP and UDP. */
    public static int headerBytes(RoceRoute route) {
        return ipHeaderBytes(route) + RoceLayout.UDP_HEADER_BYTES;
    }

    private static int ipHeaderBytes(RoceRoute route) {
        return route.isIpv4() ? RoceLayout.IPV4_MIN_HEADER_BYTES : RoceLayout.IPV6_HEADER_BYTES;
    }

    /** Returns the length of the longest datagram, with which the 16 bits of length in IP and UDP are used up. */
    public static int mostDatagramBytes(RoceRoute route) {
        return ipHeaderBytes(route) + (route.isIpv4() ? IPV4_MOST_UDP_BYTES : IPV6_MOST_UDP_BYTES);
    }

    /** Returns how many bytes {@link #write} will write. */
    public static int encodedLengthBytes(Packet packet, RoceRoute route) {
        return headerBytes(route) + Math.addExact(PacketWriter.encodedLengthBytes(packet), Icrc.SIZE_BYTES);
    }

    /**
     * Writes a datagram. Positions are absolute: the target's position and byte order neither matter nor change.
     *
     * @param offset where the IP header begins in the target
     * @return the number of bytes written
     * @throws IllegalArgumentException if it does not fit below the target's limit, if it exceeds
     *     {@link #mostDatagramBytes}, or if it has payload and its opcode carries none
     */
    public int write(Packet packet, RoceRoute route, ByteBuffer target, int offset) {
        int length = encodedLengthBytes(packet, route);
        if (length > mostDatagramBytes(route)) {
            throw new IllegalArgumentException(packet.opcode() + " gives a datagram of lengthBytes=" + length + " > "
                    + mostDatagramBytes(route) + "; split the message at the path MTU");
        }
        if (offset < 0 || offset > target.limit() - length) {
            throw new IllegalArgumentException(packet.opcode() + " needs " + length + " bytes at offset=" + offset
                    + " but the target's limit=" + target.limit() + "; ask encodedLengthBytes first");
        }
        PacketWriter.write(packet, target, offset + headerBytes(route));
        int udp = offset + ipHeaderBytes(route);
        int udpBytes = length - ipHeaderBytes(route);
        if (route.isIpv4()) {
            writeIpv4(packet, route, length, target, offset);
        } else {
            GrhWriter.writeFields(packet, udpBytes, RoceLayout.PROTOCOL_UDP, target, offset);
            GrhWriter.writeSource(route.sourceHigh(), route.sourceLow(), target, offset);
            GrhWriter.writeDestination(route.destinationHigh(), route.destinationLow(), target, offset);
        }
        BigEndian.putShort(target, udp + RoceLayout.UDP_SOURCE_PORT, sourcePort(packet.destQp()));
        BigEndian.putShort(target, udp + RoceLayout.UDP_DESTINATION_PORT, RoceLayout.ROCE_PORT);
        BigEndian.putShort(target, udp + RoceLayout.UDP_LENGTH, udpBytes);
        int covered = length - Icrc.SIZE_BYTES;
        BigEndian.putInt(target, offset + covered, icrc.of(target, offset, covered));
        int addresses = route.isIpv4() ? RoceLayout.IPV4_SOURCE : RoceLayout.IPV6_SOURCE;
        UdpChecksum.put(target, offset + addresses, udp, udpBytes);
        return length;
    }

    private static void writeIpv4(Packet packet, RoceRoute route, int lengthBytes, ByteBuffer target, int ip) {
        BigEndian.putByte(target, ip, RoceLayout.IPV4_VERSION_4_AND_5_WORDS);
        BigEndian.putByte(target, ip + RoceLayout.IPV4_TYPE_OF_SERVICE, packet.trafficClass());
        BigEndian.putShort(target, ip + RoceLayout.IPV4_TOTAL_LENGTH, lengthBytes);
        BigEndian.putShort(target, ip + RoceLayout.IPV4_IDENTIFICATION, 0);
        BigEndian.putShort(target, ip + RoceLayout.IPV4_FRAGMENT, RoceLayout.IPV4_DO_NOT_FRAGMENT);
        BigEndian.putByte(target, ip + RoceLayout.IPV4_TIME_TO_LIVE, packet.hopLimit());
        BigEndian.putByte(target, ip + RoceLayout.IPV4_PROTOCOL, RoceLayout.PROTOCOL_UDP);
        BigEndian.putInt(target, ip + RoceLayout.IPV4_SOURCE, (int) route.sourceLow());
        BigEndian.putInt(target, ip + RoceLayout.IPV4_DESTINATION, (int) route.destinationLow());
        UdpChecksum.putIpv4(target, ip);
    }

    private static int sourcePort(int destQp) {
        return destQp == MANAGEMENT_QP ? MANAGEMENT_PORT : FIRST_DYNAMIC_PORT | (destQp & FLOW_MASK);
    }
}
