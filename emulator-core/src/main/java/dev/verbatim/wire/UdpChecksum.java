// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/** The checksum of UDP over IPv6: the ones' complement sum of 16-bit words, over addresses, length, protocol and datagram. */
final class UdpChecksum {
    private static final long LOW_32_BITS = 0xffff_ffffL;
    private static final int ALL_ONES = 0xffff;

    private UdpChecksum() {}

    /**
     * Puts the checksum into a datagram that is otherwise complete.
     *
     * @param ip where the IPv6 header begins
     * @param lengthBytes from there to the end of the datagram: a multiple of 4, as packets are padded
     */
    static void put(ByteBuffer datagram, int ip, int lengthBytes) {
        int udp = ip + RoceLayout.IPV6_HEADER_BYTES;
        BigEndian.putShort(datagram, udp + RoceLayout.UDP_CHECKSUM, 0);
        // The length is counted twice: as that of the pseudo header, and, in the loop, as that of the UDP header.
        long sum = (long) RoceLayout.PROTOCOL_UDP + lengthBytes - RoceLayout.IPV6_HEADER_BYTES;
        for (int at = ip + RoceLayout.IPV6_SOURCE; at < ip + lengthBytes; at += Integer.BYTES) {
            sum += BigEndian.getInt(datagram, at) & LOW_32_BITS;
        }
        // A 32-bit word is worth the sum of its halves modulo 2^16-1; at most 2^14 words were added.
        while (sum > ALL_ONES) {
            sum = (sum >>> Short.SIZE) + (sum & ALL_ONES);
        }
        int checksum = ~(int) sum & ALL_ONES;
        // Zero would say that there is none.
        BigEndian.putShort(datagram, udp + RoceLayout.UDP_CHECKSUM, checksum == 0 ? ALL_ONES : checksum);
    }
}
