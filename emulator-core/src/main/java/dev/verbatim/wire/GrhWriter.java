// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * Writes the header before the BTH: a GRH, or the IPv6 header that is laid out alike. Positions are absolute: the target's
 * position and byte order neither matter nor change. Nothing is allocated.
 */
public final class GrhWriter {

    private static final long IPV4_MAPPED = 0xffff;
    private static final int IPV4_VERSION_AND_WORDS = 0x45;
    private static final int IPV4_TOTAL_LENGTH = 2;
    private static final int IPV4_IDENTIFICATION = 4;
    private static final int IPV4_DONT_FRAGMENT = 0x4000;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV4_SOURCE = 12;

    private GrhWriter() {}

    /**
     * Writes all but the addresses.
     *
     * @param packet says traffic class, flow label and hop limit
     * @param payloadLengthBytes of what follows the header
     * @param nextHeader what that is
     * @param at where the header begins
     */
    public static void writeFields(Packet packet, int payloadLengthBytes, int nextHeader, ByteBuffer target, int at) {
        BigEndian.putInt(
                target,
                at + RoceLayout.IPV6_VERSION_WORD,
                RoceLayout.IPV6_VERSION_6
                        | packet.trafficClass() << RoceLayout.IPV6_TRAFFIC_CLASS_SHIFT
                        | packet.flowLabel());
        BigEndian.putShort(target, at + RoceLayout.IPV6_PAYLOAD_LENGTH, payloadLengthBytes);
        BigEndian.putByte(target, at + RoceLayout.IPV6_NEXT_HEADER, nextHeader);
        BigEndian.putByte(target, at + RoceLayout.IPV6_HOP_LIMIT, packet.hopLimit());
    }

    /** Whether a GID of these two words is an IPv4 address, {@code ::ffff:a.b.c.d}. */
    public static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> Integer.SIZE == IPV4_MAPPED;
    }

    /**
     * Writes 20 bytes of zero and an IPv4 header, which together are as long as a GRH: what precedes a datagram over IPv4 (UD-01).
     *
     * @param packet says traffic class and hop limit
     * @param payloadLengthBytes of what follows the header
     * @param at where the zeros begin
     */
    public static void writeIpv4(
            Packet packet, int payloadLengthBytes, int source, int destination, ByteBuffer target, int at) {
        for (int zero = at; zero < at + RoceLayout.IPV4_MIN_HEADER_BYTES; zero += Integer.BYTES) {
            BigEndian.putInt(target, zero, 0);
        }
        int ip = at + RoceLayout.IPV4_MIN_HEADER_BYTES;
        BigEndian.putByte(target, ip, IPV4_VERSION_AND_WORDS);
        BigEndian.putByte(target, ip + RoceLayout.IPV4_TYPE_OF_SERVICE, packet.trafficClass());
        BigEndian.putShort(target, ip + IPV4_TOTAL_LENGTH, RoceLayout.IPV4_MIN_HEADER_BYTES + payloadLengthBytes);
        BigEndian.putInt(target, ip + IPV4_IDENTIFICATION, IPV4_DONT_FRAGMENT);
        BigEndian.putByte(target, ip + RoceLayout.IPV4_TIME_TO_LIVE, packet.hopLimit());
        BigEndian.putByte(target, ip + IPV4_PROTOCOL, RoceLayout.PROTOCOL_UDP);
        BigEndian.putShort(target, ip + RoceLayout.IPV4_CHECKSUM, 0);
        BigEndian.putInt(target, ip + IPV4_SOURCE, source);
        BigEndian.putInt(target, ip + IPV4_SOURCE + Integer.BYTES, destination);
        int sum = 0;
        for (int word = ip; word < ip + RoceLayout.IPV4_MIN_HEADER_BYTES; word += Short.BYTES) {
            sum += BigEndian.getUnsignedShort(target, word);
        }
        int folded = (sum & Layout.LOW_16_BITS) + (sum >>> Short.SIZE);
        BigEndian.putShort(target, ip + RoceLayout.IPV4_CHECKSUM, ~(folded + (folded >>> Short.SIZE)));
    }

    /** Writes the sender's address, as two words. */
    public static void writeSource(long high, long low, ByteBuffer target, int at) {
        BigEndian.putLong(target, at + RoceLayout.IPV6_SOURCE, high);
        BigEndian.putLong(target, at + RoceLayout.IPV6_SOURCE + Long.BYTES, low);
    }

    /** Writes the receiver's address, as two words. */
    public static void writeDestination(long high, long low, ByteBuffer target, int at) {
        BigEndian.putLong(target, at + RoceLayout.IPV6_DESTINATION, high);
        BigEndian.putLong(target, at + RoceLayout.IPV6_DESTINATION + Long.BYTES, low);
    }
}
