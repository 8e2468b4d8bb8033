// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The global routing header of a datagram ({@code struct ibv_grh}): the first {@link #BYTES} bytes of what a UD queue
 * pair receives (UD-01). It is laid out as an IPv6 header.
 *
 * @param trafficClass 0 to 255
 * @param flowLabel 20 bits
 * @param payloadLengthBytes length of the following transport headers, payload, padding and invariant CRC
 * @param nextHeader 0x1b for InfiniBand transports
 * @param hopLimit 0 to 255
 * @param source GID of the sender's port
 * @param destination GID of the receiver's port
 */
public record Grh(
        int trafficClass,
        int flowLabel,
        int payloadLengthBytes,
        int nextHeader,
        int hopLimit,
        Gid source,
        Gid destination) {

    /** Size of the header in bytes. */
    public static final int BYTES = 40;

    /** The next header of all InfiniBand packets. */
    public static final int IBA_TRANSPORT = 0x1b;

    private static final int VERSION = 6;
    private static final int VERSION_SHIFT = 28;
    private static final int TRAFFIC_CLASS_SHIFT = 20;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;
    private static final int PAYLOAD_LENGTH_AT = 4;
    private static final int NEXT_HEADER_AT = 6;
    private static final int HOP_LIMIT_AT = 7;
    private static final int SOURCE_AT = 8;
    private static final int DESTINATION_AT = 24;
    private static final int HALF_OF_A_GID = 8;
    private static final int BYTE_MASK = 0xff;
    private static final int SHORT_MASK = 0xffff;

    private static final int IPV4_AT = 20;
    private static final int IPV4_VERSION_AND_WORDS = 0x45;
    private static final int IPV4_TYPE_OF_SERVICE_AT = 1;
    private static final int IPV4_TOTAL_LENGTH_AT = 2;
    private static final int IPV4_TIME_TO_LIVE_AT = 8;
    private static final int IPV4_PROTOCOL_AT = 9;
    private static final int IPV4_SOURCE_AT = 12;
    private static final int IPV4_DESTINATION_AT = 16;
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    /** Checks that there are GIDs. */
    public Grh {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }

    /**
     * Reads the header at the start of a received datagram.
     *
     * @param at where it begins in the buffer, whose position and byte order do not matter
     * <p>A datagram over IPv4 has 20 bytes of zero and an IPv4 header there. Its addresses become GIDs, its type of service the traffic
     * class, and its time to live the hop limit.
     *
     * @throws IllegalArgumentException if it is no such header: its version is neither 6 nor, behind 20 bytes, 4
     */
    public static Grh parse(ByteBuffer buffer, int at) {
        ByteBuffer bytes = buffer.duplicate().order(ByteOrder.BIG_ENDIAN);
        int first = bytes.getInt(at);
        if (first == 0 && (bytes.get(at + IPV4_AT) & BYTE_MASK) == IPV4_VERSION_AND_WORDS) {
            return parseIpv4(bytes, at + IPV4_AT);
        }
        if (first >>> VERSION_SHIFT != VERSION) {
            throw new IllegalArgumentException("version=" + (first >>> VERSION_SHIFT) + " of the header at offset " + at
                    + " is not 6; look where a datagram was received, and only if its completion has the flag GRH");
        }
        return new Grh(
                first >>> TRAFFIC_CLASS_SHIFT & BYTE_MASK,
                first & FLOW_LABEL_MASK,
                bytes.getShort(at + PAYLOAD_LENGTH_AT) & SHORT_MASK,
                bytes.get(at + NEXT_HEADER_AT) & BYTE_MASK,
                bytes.get(at + HOP_LIMIT_AT) & BYTE_MASK,
                gidAt(bytes, at + SOURCE_AT),
                gidAt(bytes, at + DESTINATION_AT));
    }

    private static Grh parseIpv4(ByteBuffer bytes, int ip) {
        int totalLength = bytes.getShort(ip + IPV4_TOTAL_LENGTH_AT) & SHORT_MASK;
        return new Grh(
                bytes.get(ip + IPV4_TYPE_OF_SERVICE_AT) & BYTE_MASK,
                0,
                totalLength - (BYTES - IPV4_AT),
                bytes.get(ip + IPV4_PROTOCOL_AT) & BYTE_MASK,
                bytes.get(ip + IPV4_TIME_TO_LIVE_AT) & BYTE_MASK,
                mapped(bytes.getInt(ip + IPV4_SOURCE_AT)),
                mapped(bytes.getInt(ip + IPV4_DESTINATION_AT)));
    }

    private static Gid mapped(int address) {
        return new Gid(0, IPV4_MAPPED | Integer.toUnsignedLong(address));
    }

    private static Gid gidAt(ByteBuffer bytes, int at) {
        return new Gid(bytes.getLong(at), bytes.getLong(at + HALF_OF_A_GID));
    }

    /** Writes the header to a buffer, whose position and byte order neither matter nor change. */
    public void writeTo(ByteBuffer buffer, int at) {
        ByteBuffer bytes = buffer.duplicate().order(ByteOrder.BIG_ENDIAN);
        bytes.putInt(at, VERSION << VERSION_SHIFT | trafficClass << TRAFFIC_CLASS_SHIFT | flowLabel);
        bytes.putShort(at + PAYLOAD_LENGTH_AT, (short) payloadLengthBytes);
        bytes.put(at + NEXT_HEADER_AT, (byte) nextHeader);
        bytes.put(at + HOP_LIMIT_AT, (byte) hopLimit);
        putGid(bytes, at + SOURCE_AT, source);
        putGid(bytes, at + DESTINATION_AT, destination);
    }

    private static void putGid(ByteBuffer bytes, int at, Gid gid) {
        bytes.putLong(at, gid.prefix()).putLong(at + HALF_OF_A_GID, gid.interfaceId());
    }
}
