// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A checked view of one RoCEv2 datagram over IPv4 or IPv6 in a buffer, as {@link RoceWriter} and adapters write them.
 *
 * <p>{@link #wrap} checks the headers, that all lengths agree, the ICRC, and the packet inside. What the ICRC counts as ones
 * (see {@link Icrc}), the checksums among it, is not looked at. A view may be wrapped again without end and allocates nothing unless it refuses. Any
 * accessor throws IllegalStateException while nothing is wrapped.
 */
public final class RoceView {
    private static final int LEAST_UDP_BYTES = RoceLayout.UDP_HEADER_BYTES + Header.BTH.sizeBytes() + Icrc.SIZE_BYTES;
    private static final int LEAST_BYTES = RoceLayout.IPV4_MIN_HEADER_BYTES + LEAST_UDP_BYTES;
    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    private final Icrc icrc = new Icrc();
    private final PacketView packet = new PacketView();
    private ByteBuffer buffer = NO_BUFFER;
    private int offset;
    private boolean ipv4;
    private boolean wrapped;

    /** A view of no datagram. */
    public RoceView() {}

    /**
     * Looks at a range of a buffer, whose position and byte order do not matter.
     *
     * @param lengthBytes the whole datagram, from IP header to ICRC
     * @return null if the range holds a datagram; otherwise a sentence that says what is wrong with it, and nothing is wrapped
     */
    public @Nullable String wrap(ByteBuffer buffer, int offset, int lengthBytes) {
        String refusal = refusal(buffer, offset, lengthBytes);
        wrapped = refusal == null;
        this.buffer = wrapped ? buffer : NO_BUFFER;
        this.offset = offset;
        this.ipv4 = wrapped && version(buffer, offset) == 4;
        return refusal;
    }

    private @Nullable String refusal(ByteBuffer bytes, int ip, int lengthBytes) {
        if (ip < 0 || lengthBytes < 0 || ip > bytes.limit() - lengthBytes) {
            return "offset=" + ip + " lengthBytes=" + lengthBytes + " is not within the buffer's limit=" + bytes.limit()
                    + "; wrap only bytes that have arrived";
        }
        if (lengthBytes < LEAST_BYTES) {
            return cutOff(lengthBytes, LEAST_BYTES);
        }
        int headerBytes = ipHeaderBytes(bytes, ip);
        if (lengthBytes < headerBytes + LEAST_UDP_BYTES) {
            return cutOff(lengthBytes, headerBytes + LEAST_UDP_BYTES);
        }
        String refusal = version(bytes, ip) == 4 ? ipv4(bytes, ip, lengthBytes) : ipv6(bytes, ip, lengthBytes);
        if (refusal == null) {
            refusal = udp(bytes, ip + headerBytes, lengthBytes - headerBytes);
        }
        if (refusal == null) {
            refusal = invariantCrc(bytes, ip, lengthBytes - Icrc.SIZE_BYTES);
        }
        int before = headerBytes + RoceLayout.UDP_HEADER_BYTES;
        return refusal != null ? refusal : packet.wrap(bytes, ip + before, lengthBytes - before - Icrc.SIZE_BYTES);
    }

    private static String cutOff(int lengthBytes, int leastBytes) {
        return "datagram is cut off: lengthBytes=" + lengthBytes + " < " + leastBytes
                + " of IP, UDP, BTH and ICRC; keep it whole";
    }

    private static int version(ByteBuffer bytes, int ip) {
        return BigEndian.getUnsignedByte(bytes, ip) >> RoceLayout.VERSION_SHIFT;
    }

    private static int ipHeaderBytes(ByteBuffer bytes, int ip) {
        return version(bytes, ip) == 4
                ? (BigEndian.getUnsignedByte(bytes, ip) & RoceLayout.IPV4_HEADER_WORDS_MASK) * Integer.BYTES
                : RoceLayout.IPV6_HEADER_BYTES;
    }

    private static @Nullable String ipv4(ByteBuffer bytes, int ip, int lengthBytes) {
        int headerBytes = ipHeaderBytes(bytes, ip);
        if (headerBytes < RoceLayout.IPV4_MIN_HEADER_BYTES) {
            return "IPv4 headerBytes=" + headerBytes + " < " + RoceLayout.IPV4_MIN_HEADER_BYTES
                    + "; begin at the IP header";
        }
        int protocol = BigEndian.getUnsignedByte(bytes, ip + RoceLayout.IPV4_PROTOCOL);
        if (protocol != RoceLayout.PROTOCOL_UDP) {
            return unequal("protocol", protocol, RoceLayout.PROTOCOL_UDP, "RoCEv2 is carried by UDP");
        }
        int totalLength = BigEndian.getUnsignedShort(bytes, ip + RoceLayout.IPV4_TOTAL_LENGTH);
        if (totalLength != lengthBytes) {
            return unequal("IPv4 totalLength", totalLength, lengthBytes, "so long is the datagram");
        }
        int fragment = BigEndian.getUnsignedShort(bytes, ip + RoceLayout.IPV4_FRAGMENT) & RoceLayout.IPV4_FRAGMENT_MASK;
        return fragment == 0 ? null : unequal("IPv4 fragment", fragment, 0, "RoCEv2 is not fragmented");
    }

    private static @Nullable String ipv6(ByteBuffer bytes, int ip, int lengthBytes) {
        if (version(bytes, ip) != 6) {
            return unequal("IP version", version(bytes, ip), 6, "send it over IPv4 or IPv6");
        }
        int protocol = BigEndian.getUnsignedByte(bytes, ip + RoceLayout.IPV6_NEXT_HEADER);
        if (protocol != RoceLayout.PROTOCOL_UDP) {
            return unequal("nextHeader", protocol, RoceLayout.PROTOCOL_UDP, "RoCEv2 is carried by UDP");
        }
        int behindIp = lengthBytes - RoceLayout.IPV6_HEADER_BYTES;
        int payloadLength = BigEndian.getUnsignedShort(bytes, ip + RoceLayout.IPV6_PAYLOAD_LENGTH);
        if (payloadLength != behindIp) {
            return unequal("IPv6 payloadLength", payloadLength, behindIp, "so many bytes follow its header");
        }
        return isMapped(bytes, ip + RoceLayout.IPV6_SOURCE) && isMapped(bytes, ip + RoceLayout.IPV6_DESTINATION)
                ? "IPv6 carries IPv4-mapped addresses; use the IPv4 header"
                : null;
    }

    private static @Nullable String udp(ByteBuffer bytes, int udp, int behindIp) {
        int udpLength = BigEndian.getUnsignedShort(bytes, udp + RoceLayout.UDP_LENGTH);
        if (udpLength != behindIp) {
            return unequal("UDP length", udpLength, behindIp, "so long is the payload of IP");
        }
        int port = BigEndian.getUnsignedShort(bytes, udp + RoceLayout.UDP_DESTINATION_PORT);
        return port == RoceLayout.ROCE_PORT
                ? null
                : unequal("UDP destinationPort", port, RoceLayout.ROCE_PORT, "that port stands for RoCEv2");
    }

    private @Nullable String invariantCrc(ByteBuffer bytes, int ip, int coveredBytes) {
        int carried = BigEndian.getInt(bytes, ip + coveredBytes);
        int computed = icrc.of(bytes, ip, coveredBytes);
        return carried == computed
                ? null
                : "icrc=0x" + Integer.toHexString(carried) + " but the bytes before it give 0x"
                        + Integer.toHexString(computed) + "; the datagram was changed on its way";
    }

    private static String unequal(String name, int found, int needed, String remedy) {
        return name + "=" + found + " != " + needed + "; " + remedy;
    }

    /** Returns the packet inside, always in the same view, which the next wrapping reuses. */
    public PacketView packet() {
        requireWrapped();
        return packet;
    }

    /** Returns from where to where it goes. */
    public RoceRoute route() {
        requireWrapped();
        if (ipv4) {
            return RoceRoute.ofIpv4(
                    BigEndian.getInt(buffer, offset + RoceLayout.IPV4_SOURCE),
                    BigEndian.getInt(buffer, offset + RoceLayout.IPV4_DESTINATION));
        }
        int source = offset + RoceLayout.IPV6_SOURCE;
        int destination = offset + RoceLayout.IPV6_DESTINATION;
        return new RoceRoute(
                BigEndian.getLong(buffer, source),
                BigEndian.getLong(buffer, source + Long.BYTES),
                BigEndian.getLong(buffer, destination),
                BigEndian.getLong(buffer, destination + Long.BYTES));
    }

    private static boolean isMapped(ByteBuffer bytes, int address) {
        return RoceRoute.isMapped(BigEndian.getLong(bytes, address), BigEndian.getLong(bytes, address + Long.BYTES));
    }

    /** Fills a holder with the packet inside, and with what the IP header says of its way; with IPv4 the flow label is 0. */
    public void readInto(Packet holder) {
        requireWrapped();
        packet.readInto(holder);
        if (ipv4) {
            holder.trafficClass(BigEndian.getUnsignedByte(buffer, offset + RoceLayout.IPV4_TYPE_OF_SERVICE))
                    .flowLabel(0)
                    .hopLimit(BigEndian.getUnsignedByte(buffer, offset + RoceLayout.IPV4_TIME_TO_LIVE));
            return;
        }
        int first = BigEndian.getInt(buffer, offset + RoceLayout.IPV6_VERSION_WORD);
        holder.trafficClass(first >>> RoceLayout.IPV6_TRAFFIC_CLASS_SHIFT & Layout.LOW_8_BITS)
                .flowLabel(first & Layout.LOW_20_BITS)
                .hopLimit(BigEndian.getUnsignedByte(buffer, offset + RoceLayout.IPV6_HOP_LIMIT));
    }

    private void requireWrapped() {
        if (!wrapped) {
            throw new IllegalStateException("no datagram is wrapped; read only after wrap() returned null");
        }
    }
}
