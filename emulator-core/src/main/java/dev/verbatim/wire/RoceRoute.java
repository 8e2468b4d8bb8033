// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * From where to where a datagram goes: two IPv6 addresses, which are the GIDs of the ports. Two of the form
 * {@code ::ffff:a.b.c.d} are IPv4 addresses, and the datagram has an IPv4 header.
 *
 * @param sourceHigh the first 64 bits of the sender's address
 * @param sourceLow the last 64 bits of it
 * @param destinationHigh the first 64 bits of the receiver's address
 * @param destinationLow the last 64 bits of it
 */
public record RoceRoute(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
    private static final long IPV4_MAPPED = 0xffff;

    /** The route between two IPv4 addresses. */
    static RoceRoute ofIpv4(int source, int destination) {
        return new RoceRoute(0, mapped(source), 0, mapped(destination));
    }

    private static long mapped(int address) {
        return IPV4_MAPPED << Integer.SIZE | Integer.toUnsignedLong(address);
    }

    /** Whether both addresses are those of IPv4. */
    public boolean isIpv4() {
        return isMapped(sourceHigh, sourceLow) && isMapped(destinationHigh, destinationLow);
    }

    static boolean isMapped(long high, long low) {
        return high == 0 && low >>> Integer.SIZE == IPV4_MAPPED;
    }
}
