// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A classic pcap file, in little-endian. */
final class PcapFile implements CaptureFile {

    private static final int MOST_FRAME_BYTES = (1 << 16) + (1 << 10);

    private final CaptureFormat format;
    private final ByteBuffer bytes = ByteBuffer.allocate(PcapFormat.PACKET_HEADER_BYTES + MOST_FRAME_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);

    PcapFile(CaptureFormat format) {
        this.format = format;
    }

    @Override
    public byte[] head() {
        return ByteBuffer.allocate(PcapFormat.FILE_HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(isNanoseconds() ? PcapFormat.NANOSECONDS_MAGIC : PcapFormat.MICROSECONDS_MAGIC)
                .putShort(PcapFormat.MAJOR_VERSION)
                .putShort(PcapFormat.MINOR_VERSION)
                .putLong(0)
                .putInt(PcapFormat.SNAP_LENGTH)
                .putInt(format.link().linkType())
                .array();
    }

    @Override
    public byte[] device(String name, Gid gid) {
        return new byte[0];
    }

    /** Seconds have 32 bits. */
    @Override
    public ByteBuffer begin(long timeNanos, int device, int lengthBytes) {
        int nanos = (int) Math.floorMod(timeNanos, PcapFormat.NANOS_OF_SECOND);
        return bytes.clear()
                .putInt((int) Math.floorDiv(timeNanos, PcapFormat.NANOS_OF_SECOND))
                .putInt(isNanoseconds() ? nanos : nanos / (int) PcapFormat.NANOS_OF_MICROSECOND)
                .putInt(lengthBytes)
                .putInt(lengthBytes);
    }

    @Override
    public byte[] end(int lengthBytes, int direction, int qp) {
        return Arrays.copyOf(bytes.array(), bytes.position() + lengthBytes);
    }

    private boolean isNanoseconds() {
        return format.resolution() == CaptureFormat.Resolution.NANOSECONDS;
    }
}
