// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.nio.ByteBuffer;
import java.util.List;

/** Finds the IP header in a captured frame, behind what its link type puts there. */
final class LinkFrame {

    static final int ETHERNET_BYTES = 14;
    static final int ETHERNET_TYPE = 12;
    static final int SLL_BYTES = 16;
    static final int SLL_PROTOCOL = 14;
    static final int SLL2_BYTES = 20;
    static final int SLL2_PACKET_TYPE = 10;

    static final int ETHER_TYPE_IPV4 = 0x0800;
    static final int ETHER_TYPE_IPV6 = 0x86dd;

    private static final int VLAN_BYTES = 4;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_VLAN = 0x88a8;
    private static final int OLD_SERVICE_VLAN = 0x9100;

    private static final int LINK_NULL = 0;
    private static final int LINK_ETHERNET = 1;
    private static final int LINK_LOOP = 108;
    private static final int LINK_SLL = 113;
    private static final int LINK_SLL2 = 276;

    /** The first word of these says the protocol in a way that differs between systems; the IP header says it, too. */
    private static final int FAMILY_BYTES = 4;

    /** Link types of frames that begin with IP, two of them from old files. */
    private static final List<Integer> RAW = List.of(12, 14, 101, 228, 229);

    private static final int PACKET_TYPE_OUTGOING = 4;

    private LinkFrame() {}

    /** Whether frames of this link type are understood. */
    static boolean isKnown(int linkType) {
        return RAW.contains(linkType)
                || linkType == LINK_ETHERNET
                || linkType == LINK_NULL
                || linkType == LINK_LOOP
                || linkType == LINK_SLL
                || linkType == LINK_SLL2;
    }

    /** Returns where the IP header begins; -1 if the frame holds none, or not its first byte. */
    static int ipOffset(int linkType, ByteBuffer frame) {
        int offset = switch (linkType) {
            case LINK_ETHERNET -> behindEtherType(frame, ETHERNET_TYPE);
            case LINK_SLL -> behindEtherType(frame, SLL_PROTOCOL);
            case LINK_SLL2 -> isIp(frame, 0) ? SLL2_BYTES : -1;
            case LINK_NULL, LINK_LOOP -> FAMILY_BYTES;
            default -> 0;
        };
        return offset < frame.limit() ? offset : -1;
    }

    /** Skips the tags of virtual networks; there may be several. */
    private static int behindEtherType(ByteBuffer frame, int typeAt) {
        int at = typeAt;
        while (isTag(frame, at)) {
            at += VLAN_BYTES;
        }
        return isIp(frame, at) ? at + Short.BYTES : -1;
    }

    private static boolean isTag(ByteBuffer frame, int at) {
        int type = etherType(frame, at);
        return type == VLAN || type == SERVICE_VLAN || type == OLD_SERVICE_VLAN;
    }

    private static boolean isIp(ByteBuffer frame, int at) {
        int type = etherType(frame, at);
        return type == ETHER_TYPE_IPV4 || type == ETHER_TYPE_IPV6;
    }

    private static int etherType(ByteBuffer frame, int at) {
        return at + Short.BYTES <= frame.limit() ? unsignedShort(frame, at) : -1;
    }

    /** Whether the link says that this machine sent the frame; most do not say. */
    static boolean isOutgoing(int linkType, ByteBuffer frame) {
        return (linkType == LINK_SLL && unsignedShort(frame, 0) == PACKET_TYPE_OUTGOING)
                || (linkType == LINK_SLL2 && frame.get(SLL2_PACKET_TYPE) == PACKET_TYPE_OUTGOING);
    }

    /** Whether the link says the direction. */
    static boolean saysDirection(int linkType) {
        return linkType == LINK_SLL || linkType == LINK_SLL2;
    }

    /** In the order of networks, whatever that of the buffer is. */
    static int unsignedShort(ByteBuffer frame, int at) {
        return ((frame.get(at) & 0xff) << Byte.SIZE) | (frame.get(at + 1) & 0xff);
    }
}
