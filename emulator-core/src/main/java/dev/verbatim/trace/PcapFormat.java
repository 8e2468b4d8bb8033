// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

/** Numbers of the classic pcap format. */
final class PcapFormat {
    static final int MICROSECONDS_MAGIC = 0xa1b2c3d4;
    static final int NANOSECONDS_MAGIC = 0xa1b23c4d;

    static final short MAJOR_VERSION = 2;
    static final short MINOR_VERSION = 4;

    static final int FILE_HEADER_BYTES = 24;
    static final int MAJOR_VERSION_AT = 4;
    static final int LINK_TYPE = 20;

    static final int PACKET_HEADER_BYTES = 16;
    static final int SECONDS = 0;
    static final int FRACTION = 4;
    static final int KEPT_LENGTH = 8;
    static final int FULL_LENGTH = 12;

    /** More than any frame has; zero would not be understood by all readers. */
    static final int SNAP_LENGTH = 262_144;

    static final long NANOS_OF_SECOND = 1_000_000_000;
    static final long NANOS_OF_MICROSECOND = 1_000;

    private PcapFormat() {}

    static boolean isMagic(int word) {
        return word == MICROSECONDS_MAGIC || word == NANOSECONDS_MAGIC;
    }
}
