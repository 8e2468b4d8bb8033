// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/** The checksums of UDP and of the IPv4 header: the ones' complement sum of 16-bit words. */
final class UdpChecksum {
    private static final long LOW_32_BITS = 0xffff_ffffL;
    private static final int ALL_ONES = 0xffff;

    private UdpChecksum() {}

    /**
     * Puts the checksum of UDP, over addresses, length, protocol and datagram, into a datagram that is otherwise complete.
     *
     * @param addresses where the addresses of IP begin, which end where UDP begins
     * @param udp where the UDP header begins
     * @param udpBytes from there to the end of the datagram: a multiple of 4, as packets are padded
     */
    static void put(ByteBuffer datagram, int addresses, int udp, int udpBytes) {
        BigEndian.putShort(datagram, udp + RoceLayout.UDP_CHECKSUM, 0);
        // The length is counted twice: as that of the pseudo header, and, in the sum, as that of the UDP header.
        int folded = fold((long) RoceLayout.PROTOCOL_UDP + udpBytes + sum(datagram, addresses, udp + udpBytes));
        int checksum = ~folded & ALL_ONES;
        // Zero would say that there is none.
        BigEndian.putShort(datagram, udp + RoceLayout.UDP_CHECKSUM, checksum == 0 ? ALL_ONES : checksum);
    }

    /** Puts the checksum of an IPv4 header without options into it. */
    static void putIpv4(ByteBuffer datagram, int ip) {
        BigEndian.putShort(datagram, ip + RoceLayout.IPV4_CHECKSUM, 0);
        int folded = fold(sum(datagram, ip, ip + RoceLayout.IPV4_MIN_HEADER_BYTES));
        BigEndian.putShort(datagram, ip + RoceLayout.IPV4_CHECKSUM, ~folded & ALL_ONES);
    }

    private static long sum(ByteBuffer datagram, int from, int to) {
        long sum = 0;
        for (int at = from; at < to; at += Integer.BYTES) {
            sum += BigEndian.getInt(datagram, at) & LOW_32_BITS;
        }
        return sum;
    }

    /** A 32-bit word is worth the sum of its halves modulo 2^16-1; at most 2^14 words were added. */
    private static int fold(long sum) {
        long folded = sum;
        while (folded > ALL_ONES) {
            folded = (folded >>> Short.SIZE) + (folded & ALL_ONES);
        }
        return (int) folded;
    }
}
