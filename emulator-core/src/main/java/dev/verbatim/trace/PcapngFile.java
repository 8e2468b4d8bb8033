// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;

/** A pcapng file: its devices are interfaces, their queue pairs interface queues. */
final class PcapngFile implements CaptureFile {

    private final CaptureFormat format;
    private final PcapngBlock block = new PcapngBlock();

    PcapngFile(CaptureFormat format) {
        this.format = format;
    }

    @Override
    public byte[] head() {
        return block.begin(PcapngFormat.SECTION_HEADER)
                .put(PcapngFormat.BYTE_ORDER_MAGIC)
                .putShorts(PcapngFormat.MAJOR_VERSION, PcapngFormat.MINOR_VERSION)
                .put(PcapngFormat.LENGTH_UNKNOWN)
                .textOption(PcapngFormat.SECTION_APPLICATION, "Verbatim")
                .end();
    }

    @Override
    public byte[] device(String name, Gid gid) {
        byte[] address = ByteBuffer.allocate(17)
                .putLong(gid.prefix())
                .putLong(gid.interfaceId())
                .put(PcapngFormat.IPV6_PREFIX_BITS)
                .array();
        return block.begin(PcapngFormat.INTERFACE_DESCRIPTION)
                .putShorts(format.link().linkType(), 0)
                .put(PcapngFormat.NO_SNAP_LENGTH)
                .textOption(PcapngFormat.INTERFACE_NAME, name)
                .textOption(PcapngFormat.INTERFACE_DESCRIPTION_TEXT, "Verbatim device, GID " + gid)
                .bytesOption(PcapngFormat.INTERFACE_IPV6_ADDRESS, address)
                .bytesOption(
                        PcapngFormat.INTERFACE_TIME_RESOLUTION,
                        isNanoseconds() ? PcapngFormat.NANOSECONDS : PcapngFormat.MICROSECONDS)
                .end();
    }

    @Override
    public ByteBuffer begin(long timeNanos, int device, int lengthBytes) {
        long time = isNanoseconds() ? timeNanos : Math.floorDiv(timeNanos, PcapFormat.NANOS_OF_MICROSECOND);
        block.begin(PcapngFormat.ENHANCED_PACKET)
                .put(device)
                .put((int) (time >>> Integer.SIZE))
                .put((int) time)
                .put(lengthBytes)
                .put(lengthBytes);
        return block.bytes();
    }

    @Override
    public byte[] end(int lengthBytes, int direction, int qp) {
        block.skip(lengthBytes);
        return block.wordOption(PcapngFormat.PACKET_FLAGS, direction)
                .wordOption(PcapngFormat.PACKET_QUEUE, qp)
                .end();
    }

    private boolean isNanoseconds() {
        return format.resolution() == CaptureFormat.Resolution.NANOSECONDS;
    }
}
