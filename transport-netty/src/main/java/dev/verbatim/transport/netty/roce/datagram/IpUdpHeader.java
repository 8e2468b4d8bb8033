// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The IP and UDP headers of datagrams from one address to another, as the ICRC sees them: identification 0, DF set, and zero in
 * every field that the ICRC counts as ones. Sockets make the true ones; these are written before a packet to compute the ICRC.
 */
public final class IpUdpHeader {

    /** The UDP port of RoCEv2. */
    public static final int ROCE_PORT = 4791;

    /** Size of the longer of the two, that of IPv6. */
    public static final int MOST_BYTES = 48;

    private static final int UDP_BYTES = 8;
    private static final int UDP_PROTOCOL = 17;

    private static final int IPV4_BYTES = 20;
    private static final int IPV4_VERSION_AND_WORDS = 0x45;
    private static final int IPV4_TOTAL_LENGTH = 2;
    private static final int IPV4_FLAGS = 6;
    private static final int IPV4_DONT_FRAGMENT = 0x4000;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV4_ADDRESSES = 12;

    private static final int IPV6_BYTES = 40;
    private static final int IPV6_VERSION = 0x60;
    private static final int IPV6_PAYLOAD_LENGTH = 4;
    private static final int IPV6_NEXT_HEADER = 6;
    private static final int IPV6_ADDRESSES = 8;

    private static final int UDP_DESTINATION_PORT = 2;
    private static final int UDP_LENGTH = 4;

    private final boolean ipv4;
    private final byte[] template;

    /** The headers from {@code source} to {@code destination}, which are of one family. */
    public IpUdpHeader(InetAddress source, InetAddress destination) {
        byte[] from = source.getAddress();
        byte[] to = destination.getAddress();
        ipv4 = source instanceof Inet4Address;
        template = new byte[(ipv4 ? IPV4_BYTES : IPV6_BYTES) + UDP_BYTES];
        ByteBuffer fields = ByteBuffer.wrap(template).order(ByteOrder.BIG_ENDIAN);
        if (ipv4) {
            fields.put(0, (byte) IPV4_VERSION_AND_WORDS);
            fields.putShort(IPV4_FLAGS, (short) IPV4_DONT_FRAGMENT);
            fields.put(IPV4_PROTOCOL, (byte) UDP_PROTOCOL);
        } else {
            fields.put(0, (byte) IPV6_VERSION);
            fields.put(IPV6_NEXT_HEADER, (byte) UDP_PROTOCOL);
        }
        int addresses = ipv4 ? IPV4_ADDRESSES : IPV6_ADDRESSES;
        fields.put(addresses, from).put(addresses + from.length, to);
        fields.putShort(udp() + UDP_DESTINATION_PORT, (short) ROCE_PORT);
    }

    private int udp() {
        return template.length - UDP_BYTES;
    }

    /** Whether it is of IPv4, so that the ICRC covers an identification. */
    boolean isIpv4() {
        return ipv4;
    }

    /** Length of both headers. */
    public int sizeBytes() {
        return template.length;
    }

    /**
     * Writes the headers.
     *
     * @param buffer big-endian
     * @param at where the IP header begins
     * @param sourcePort UDP port of the sender
     * @param udpPayloadBytes from the BTH to the ICRC
     */
    void write(ByteBuffer buffer, int at, int sourcePort, int udpPayloadBytes) {
        buffer.put(at, template);
        int udpBytes = UDP_BYTES + udpPayloadBytes;
        if (ipv4) {
            buffer.putShort(at + IPV4_TOTAL_LENGTH, (short) (IPV4_BYTES + udpBytes));
        } else {
            buffer.putShort(at + IPV6_PAYLOAD_LENGTH, (short) udpBytes);
        }
        buffer.putShort(at + udp(), (short) sourcePort);
        buffer.putShort(at + udp() + UDP_LENGTH, (short) udpBytes);
    }
}
