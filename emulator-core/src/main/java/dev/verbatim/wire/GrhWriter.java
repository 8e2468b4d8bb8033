// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * Writes the header before the BTH: a GRH, or the IPv6 header that is laid out alike. Positions are absolute: the target's
 * position and byte order neither matter nor change. Nothing is allocated.
 */
public final class GrhWriter {

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
