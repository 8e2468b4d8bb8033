// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** Where the fields of the network headers lie around a packet: IPv6 (or IPv4), UDP, then the packet, then the ICRC. */
final class RoceLayout {
    static final int VERSION_SHIFT = 4;

    static final int IPV4_MIN_HEADER_BYTES = 20;
    static final int IPV4_HEADER_WORDS_MASK = 0xf;
    static final int IPV4_VERSION_4_AND_5_WORDS = 0x45;
    static final int IPV4_TYPE_OF_SERVICE = 1;
    static final int IPV4_TOTAL_LENGTH = 2;
    static final int IPV4_IDENTIFICATION = 4;
    static final int IPV4_FRAGMENT = 6;
    static final int IPV4_DO_NOT_FRAGMENT = 0x4000;

    /** More fragments, and the offset of this one. */
    static final int IPV4_FRAGMENT_MASK = 0x3fff;

    static final int IPV4_TIME_TO_LIVE = 8;
    static final int IPV4_PROTOCOL = 9;
    static final int IPV4_CHECKSUM = 10;
    static final int IPV4_SOURCE = 12;
    static final int IPV4_DESTINATION = 16;

    static final int IPV6_HEADER_BYTES = 40;

    /** Version, traffic class and flow label share the first word. */
    static final int IPV6_VERSION_WORD = 0;

    static final int IPV6_VERSION_6 = 0x6000_0000;
    static final int IPV6_TRAFFIC_CLASS_SHIFT = 20;
    static final int IPV6_PAYLOAD_LENGTH = 4;
    static final int IPV6_NEXT_HEADER = 6;
    static final int IPV6_HOP_LIMIT = 7;
    static final int IPV6_SOURCE = 8;
    static final int IPV6_DESTINATION = 24;

    static final int UDP_HEADER_BYTES = 8;
    static final int UDP_SOURCE_PORT = 0;
    static final int UDP_DESTINATION_PORT = 2;
    static final int UDP_LENGTH = 4;
    static final int UDP_CHECKSUM = 6;

    /** Number of UDP among the protocols of IP. */
    static final int PROTOCOL_UDP = 17;

    /** The port that stands for RoCEv2. */
    static final int ROCE_PORT = 4791;

    /** Where FECN, BECN and their reserved bits lie in the BTH. */
    static final int BTH_CONGESTION = 4;

    private RoceLayout() {}
}
