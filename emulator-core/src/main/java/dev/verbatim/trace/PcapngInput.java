// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes a pcapng file apart into its blocks, in either byte order, and checks what all blocks have in common. */
final class PcapngInput {

    /** Far more than a packet needs; a length beyond it is a broken one. */
    private static final int MOST_BLOCK_BYTES = 1 << 24;

    private static final int LENGTH = 4;
    private static final int BODY = 8;

    private final InputStream stream;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private int type;
    private long block;
    private long blockAt;
    private long at;

    PcapngInput(InputStream stream) {
        this.stream = stream;
    }

    /** Type of the block that was taken last. */
    int type() {
        return type;
    }

    /** Returns the body of the next block, in the byte order of its section; null at the end of the file. */
    @Nullable
    ByteBuffer next() throws IOException {
        blockAt = at;
        block++;
        byte[] head = stream.readNBytes(PcapngFormat.FRAMING_BYTES);
        at += head.length;
        if (head.length == 0 && block > 1) {
            return null;
        }
        if (head.length < PcapngFormat.FRAMING_BYTES) {
            throw cutOff(PcapngFormat.FRAMING_BYTES, head.length);
        }
        type = ByteBuffer.wrap(head).order(order).getInt(0);
        if (type == PcapngFormat.SECTION_HEADER) {
            order = orderOf(ByteBuffer.wrap(head).getInt(BODY));
        } else if (block == 1) {
            throw refusal(
                    "it begins with 0x%08x instead of 0x%08x; only captures of pcapng and pcap are read",
                    type, PcapngFormat.SECTION_HEADER);
        }
        return body(head, ByteBuffer.wrap(head).order(order).getInt(LENGTH));
    }

    private ByteOrder orderOf(int magic) throws CaptureException {
        if (magic == PcapngFormat.BYTE_ORDER_MAGIC) {
            return ByteOrder.BIG_ENDIAN;
        } else if (magic == Integer.reverseBytes(PcapngFormat.BYTE_ORDER_MAGIC)) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        throw refusal("its byte order magic 0x%08x is unknown; only captures of pcapng and pcap are read", magic);
    }

    private ByteBuffer body(byte[] head, int lengthBytes) throws IOException {
        if (lengthBytes < PcapngFormat.FRAMING_BYTES || lengthBytes > MOST_BLOCK_BYTES || lengthBytes % 4 != 0) {
            throw refusal(
                    "its lengthBytes=%d is no multiple of 4 in %d..%d; the file is broken",
                    lengthBytes, PcapngFormat.FRAMING_BYTES, MOST_BLOCK_BYTES);
        }
        byte[] rest = stream.readNBytes(lengthBytes - head.length);
        at += rest.length;
        if (rest.length < lengthBytes - head.length) {
            throw cutOff(lengthBytes, head.length + rest.length);
        }
        byte[] whole = Arrays.copyOf(head, lengthBytes);
        System.arraycopy(rest, 0, whole, head.length, rest.length);
        int lengthBehind = ByteBuffer.wrap(whole).order(order).getInt(lengthBytes - Integer.BYTES);
        if (lengthBehind != lengthBytes) {
            throw refusal(
                    "its length is %d before and %d behind it, which must agree; the file is broken",
                    lengthBytes, lengthBehind);
        }
        return ByteBuffer.wrap(whole, BODY, lengthBytes - PcapngFormat.FRAMING_BYTES)
                .slice()
                .order(order);
    }

    private CaptureException cutOff(int neededBytes, int presentBytes) {
        return refusal("the file ends after %d of its %d bytes; what comes before is whole", presentBytes, neededBytes);
    }

    /** What is wrong with the block that was taken last. */
    @SuppressWarnings("AnnotateFormatMethod") // its callers are few, and all are tested
    CaptureException refusal(String format, Object... values) {
        return new CaptureException(where() + String.format(Locale.ROOT, format, values));
    }

    /** Where the block that was taken last lies, for messages. */
    String where() {
        return "block " + block + " at byte " + blockAt + " of the capture: ";
    }

    /**
     * Returns the value of an option.
     *
     * @param from where the options of the block begin
     * @return null if the block does not have it
     */
    @Nullable
    ByteBuffer option(ByteBuffer body, int from, int code) throws CaptureException {
        int next = from;
        while (next + Integer.BYTES <= body.limit()) {
            int found = body.getShort(next) & 0xffff;
            int lengthBytes = body.getShort(next + Short.BYTES) & 0xffff;
            int value = next + Integer.BYTES;
            if (found == PcapngFormat.OPTION_END) {
                return null;
            }
            if (lengthBytes > body.limit() - value) {
                throw refusal(
                        "its option %d is of lengthBytes=%d > %d that are left; the file is broken",
                        found, lengthBytes, body.limit() - value);
            }
            if (found == code) {
                return body.slice(value, lengthBytes).order(body.order());
            }
            next = value + PcapngFormat.padded(lengthBytes);
        }
        return null;
    }

    /** Returns the value of an option of four bytes; 0 if the block does not have it. */
    int wordOption(ByteBuffer body, int from, int code) throws CaptureException {
        ByteBuffer value = option(body, from, code);
        return value == null || value.limit() != Integer.BYTES ? 0 : value.getInt(0);
    }
}
