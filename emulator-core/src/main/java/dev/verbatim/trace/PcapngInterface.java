// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An interface of a pcapng file.
 *
 * @param name the name in the file; its number if there is none
 * @param linkType what its frames begin with
 * @param snapLengthBytes how many bytes of a frame are kept; 0 for all
 * @param resolution the unit of times, as in the file: a power of ten, or with the highest bit set of two
 * @param offsetSeconds what is to be added to all times
 */
record PcapngInterface(String name, int linkType, int snapLengthBytes, int resolution, long offsetSeconds) {

    /** The body of its block, up to the options. */
    static final int BODY_BYTES = 8;

    private static final int SNAP_LENGTH = 4;
    private static final int POWER_OF_TWO = 0x80;
    private static final int EXPONENT = 0x7f;
    private static final int MOST_TEXT_CHARS = 256;
    private static final BigInteger NANOS_OF_SECOND = BigInteger.valueOf(PcapFormat.NANOS_OF_SECOND);

    /** Reads the body of a block that describes an interface, with its options. */
    static PcapngInterface read(PcapngInput blocks, ByteBuffer body, int number) throws CaptureException {
        ByteBuffer name = blocks.option(body, BODY_BYTES, PcapngFormat.INTERFACE_NAME);
        ByteBuffer resolution = blocks.option(body, BODY_BYTES, PcapngFormat.INTERFACE_TIME_RESOLUTION);
        ByteBuffer offset = blocks.option(body, BODY_BYTES, PcapngFormat.INTERFACE_TIME_OFFSET);
        return new PcapngInterface(
                name == null ? "interface " + number : text(name),
                body.getShort(0) & 0xffff,
                body.getInt(SNAP_LENGTH),
                resolution == null || !resolution.hasRemaining() ? PcapngFormat.MICROSECONDS : resolution.get(0) & 0xff,
                offset == null || offset.limit() != Long.BYTES ? 0 : offset.getLong(0));
    }

    private static String text(ByteBuffer value) {
        String text = StandardCharsets.UTF_8.decode(value).toString();
        return text.substring(0, Math.min(text.length(), MOST_TEXT_CHARS));
    }

    /** Returns a time of the file in nanoseconds; what is less is cut off. */
    long nanos(long time) {
        long offsetNanos = offsetSeconds * PcapFormat.NANOS_OF_SECOND;
        int exponent = resolution & EXPONENT;
        if (resolution == PcapngFormat.NANOSECONDS) {
            return time + offsetNanos;
        }
        BigInteger ticks = BigInteger.valueOf(time);
        BigInteger nanos = (resolution & POWER_OF_TWO) != 0
                ? ticks.multiply(NANOS_OF_SECOND).shiftRight(exponent)
                : exponent <= PcapngFormat.NANOSECONDS
                        ? ticks.multiply(BigInteger.TEN.pow(PcapngFormat.NANOSECONDS - exponent))
                        : ticks.divide(BigInteger.TEN.pow(exponent - PcapngFormat.NANOSECONDS));
        return nanos.longValue() + offsetNanos;
    }
}
