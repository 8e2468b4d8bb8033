// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

/** The numbers of the pcapng file format that captures use: types of blocks, codes of options, and what they mean here. */
final class PcapngFormat {
    /** The same read from either end, so that it is known before the byte order is. */
    static final int SECTION_HEADER = 0x0a0d0d0a;

    static final int INTERFACE_DESCRIPTION = 1;
    static final int OBSOLETE_PACKET = 2;
    static final int SIMPLE_PACKET = 3;
    static final int ENHANCED_PACKET = 6;

    static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    static final int MAJOR_VERSION = 1;
    static final int MINOR_VERSION = 0;
    static final long LENGTH_UNKNOWN = -1;

    /** Type and length before the body of a block, and the length again behind it. */
    static final int FRAMING_BYTES = 12;

    static final int NO_SNAP_LENGTH = 0;

    static final int OPTION_END = 0;
    static final int SECTION_APPLICATION = 4;
    static final int INTERFACE_NAME = 2;
    static final int INTERFACE_DESCRIPTION_TEXT = 3;
    static final int INTERFACE_IPV6_ADDRESS = 5;
    static final int INTERFACE_TIME_RESOLUTION = 9;
    static final int INTERFACE_TIME_OFFSET = 14;
    static final int PACKET_FLAGS = 2;

    /** Number of the queue of the interface that a packet passed: here of the queue pair. */
    static final int PACKET_QUEUE = 6;

    /** Ten to the minus ninth of a second. */
    static final byte NANOSECONDS = 9;

    /** What counts where an interface does not say it. */
    static final byte MICROSECONDS = 6;

    /** Network part of the addresses that GIDs are. */
    static final byte IPV6_PREFIX_BITS = 64;

    static final int DIRECTION_MASK = 3;
    static final int INBOUND = 1;
    static final int OUTBOUND = 2;

    private PcapngFormat() {}

    /** Returns how many bytes a length takes with the padding behind it. */
    static int padded(int lengthBytes) {
        return lengthBytes + 3 & ~3;
    }
}
