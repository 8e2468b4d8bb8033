// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Tells datagrams of RoCEv2 from other packets of IP, in frames of which only a part may have been kept. */
final class IpFrame {

    private static final int IPV4_LEAST_BYTES = 20;
    private static final int IPV4_TOTAL_LENGTH = 2;
    private static final int IPV4_FRAGMENT = 6;
    private static final int IPV4_FRAGMENT_MASK = 0x3fff;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV6_BYTES = 40;
    private static final int IPV6_PAYLOAD_LENGTH = 4;
    private static final int IPV6_NEXT_HEADER = 6;

    private static final int UDP = 17;
    private static final int UDP_BYTES = 8;
    private static final int UDP_DESTINATION_PORT = 2;
    private static final int ROCE_PORT = 4791;

    private static final int CONGESTION_NOTIFICATION = 0x81;

    private IpFrame() {}

    /**
     * Why the packet is none of RoCEv2 that is to be read; null if it is one.
     *
     * @param ip where its IP header begins; -1 if there is none
     */
    static @Nullable String skip(ByteBuffer frame, int ip) {
        int version = ip < 0 ? 0 : version(frame, ip);
        if (version != 4 && version != 6) {
            return "not IP";
        }
        int left = frame.limit() - ip;
        if (left < (version == 4 ? IPV4_LEAST_BYTES : IPV6_BYTES)) {
            return "cut off within the IP header";
        }
        if ((frame.get(ip + (version == 4 ? IPV4_PROTOCOL : IPV6_NEXT_HEADER)) & 0xff) != UDP) {
            return "not UDP";
        }
        if (version == 4 && (LinkFrame.unsignedShort(frame, ip + IPV4_FRAGMENT) & IPV4_FRAGMENT_MASK) != 0) {
            return "a fragment";
        }
        int udp = headerBytes(frame, ip);
        if (left < udp + UDP_BYTES) {
            return "cut off within the UDP header";
        }
        if (LinkFrame.unsignedShort(frame, ip + udp + UDP_DESTINATION_PORT) != ROCE_PORT) {
            return "of another port";
        }
        boolean isCongestion =
                left > udp + UDP_BYTES && (frame.get(ip + udp + UDP_BYTES) & 0xff) == CONGESTION_NOTIFICATION;
        return isCongestion ? "a congestion notification" : null;
    }

    /** Returns the length of the packet as its header says it. */
    static int lengthBytes(ByteBuffer frame, int ip) {
        return version(frame, ip) == 4
                ? LinkFrame.unsignedShort(frame, ip + IPV4_TOTAL_LENGTH)
                : IPV6_BYTES + LinkFrame.unsignedShort(frame, ip + IPV6_PAYLOAD_LENGTH);
    }

    private static int version(ByteBuffer frame, int ip) {
        return (frame.get(ip) & 0xff) >> 4;
    }

    private static int headerBytes(ByteBuffer frame, int ip) {
        return version(frame, ip) == 4 ? (frame.get(ip) & 0xf) * Integer.BYTES : IPV6_BYTES;
    }
}
