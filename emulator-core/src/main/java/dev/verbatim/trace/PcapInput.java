// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a classic pcap file, in either byte order, with times in microseconds or nanoseconds. */
final class PcapInput implements FrameSource {

    private static final int MOST_PACKET_BYTES = 1 << 24;

    private static final byte[] NOTHING = {};

    private final InputStream stream;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private boolean nanoseconds;
    private int linkType;
    private boolean begun;
    private long packet;
    private long packetAt;
    private long at;

    PcapInput(InputStream stream) {
        this.stream = stream;
    }

    /** Whether a file that begins with these bytes is one. */
    static boolean isBegunBy(int magic) {
        return PcapFormat.isMagic(magic) || PcapFormat.isMagic(Integer.reverseBytes(magic));
    }

    @Override
    public @Nullable CapturedFrame next() throws IOException {
        if (!begun) {
            begin();
        }
        packetAt = at;
        packet++;
        byte[] first = stream.readNBytes(1);
        if (first.length == 0) {
            return null;
        }
        at++;
        ByteBuffer head = read(first, PcapFormat.PACKET_HEADER_BYTES);
        long seconds = Integer.toUnsignedLong(head.getInt(PcapFormat.SECONDS));
        long fraction = Integer.toUnsignedLong(head.getInt(PcapFormat.FRACTION));
        int keptBytes = head.getInt(PcapFormat.KEPT_LENGTH);
        int fullBytes = head.getInt(PcapFormat.FULL_LENGTH);
        if (keptBytes < 0 || keptBytes > MOST_PACKET_BYTES || fullBytes < keptBytes) {
            throw refusal(
                    "%d of lengthBytes=%d were kept, which must be in 0..%d; the file is broken",
                    keptBytes, fullBytes, MOST_PACKET_BYTES);
        }
        ByteBuffer bytes = read(NOTHING, keptBytes);
        long timeNanos =
                seconds * PcapFormat.NANOS_OF_SECOND + fraction * (nanoseconds ? 1 : PcapFormat.NANOS_OF_MICROSECOND);
        return new CapturedFrame(where(), timeNanos, "interface 0", linkType, bytes, fullBytes, 0, 0);
    }

    private void begin() throws IOException {
        begun = true;
        ByteBuffer header = read(NOTHING, PcapFormat.FILE_HEADER_BYTES);
        order = PcapFormat.isMagic(header.getInt(0)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        header.order(order);
        nanoseconds = header.getInt(0) == PcapFormat.NANOSECONDS_MAGIC;
        int version = header.getShort(PcapFormat.MAJOR_VERSION_AT);
        if (version != PcapFormat.MAJOR_VERSION) {
            throw refusal("it is of pcap version %d != %d; only that one is read", version, PcapFormat.MAJOR_VERSION);
        }
        // The upper half may say how long the checksum of the link is, which is behind what IP counts.
        linkType = header.getInt(PcapFormat.LINK_TYPE) & 0xffff;
    }

    private String where() {
        return "packet " + packet + " at byte " + packetAt + " of the capture: ";
    }

    private ByteBuffer read(byte[] already, int neededBytes) throws IOException {
        byte[] rest = stream.readNBytes(neededBytes - already.length);
        at += rest.length;
        int presentBytes = already.length + rest.length;
        if (presentBytes < neededBytes) {
            throw refusal("the file ends after %d of %d bytes; what comes before is whole", presentBytes, neededBytes);
        }
        return ByteBuffer.allocate(neededBytes)
                .order(order)
                .put(already)
                .put(rest)
                .flip();
    }

    @SuppressWarnings("AnnotateFormatMethod") // its callers are few, and all are tested
    private CaptureException refusal(String format, Object... values) {
        return new CaptureException(where() + String.format(Locale.ROOT, format, values));
    }
}
