// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds one block of a pcapng file in little-endian, and then the next in the same memory. */
final class PcapngBlock {

    /** Room for the longest datagram, and for the few options that a block has here. */
    private static final int MOST_BYTES = (1 << 16) + (1 << 12);

    /** Names longer than any that a reader shows are cut. */
    private static final int MOST_TEXT_CHARS = 256;

    private final ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean hasOptions;

    PcapngBlock begin(int type) {
        hasOptions = false;
        bytes.clear().putInt(type).putInt(0);
        return this;
    }

    PcapngBlock put(int word) {
        bytes.putInt(word);
        return this;
    }

    PcapngBlock putShorts(int first, int second) {
        bytes.putShort((short) first).putShort((short) second);
        return this;
    }

    PcapngBlock put(long words) {
        bytes.putLong(words);
        return this;
    }

    /** The memory of the block; code that writes behind its position then calls {@link #skip}. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Goes over what was written behind the position, and pads it. */
    void skip(int lengthBytes) {
        bytes.position(bytes.position() + lengthBytes);
        pad();
    }

    PcapngBlock textOption(int code, String text) {
        String shown = text.substring(0, Math.min(text.length(), MOST_TEXT_CHARS));
        return bytesOption(code, shown.getBytes(StandardCharsets.UTF_8));
    }

    PcapngBlock wordOption(int code, int value) {
        hasOptions = true;
        return putShorts(code, Integer.BYTES).put(value);
    }

    PcapngBlock bytesOption(int code, byte... value) {
        hasOptions = true;
        putShorts(code, value.length);
        bytes.put(value);
        pad();
        return this;
    }

    private void pad() {
        while (bytes.position() % Integer.BYTES != 0) {
            bytes.put((byte) 0);
        }
    }

    /** Returns the block that is complete now. */
    byte[] end() {
        if (hasOptions) {
            putShorts(PcapngFormat.OPTION_END, 0);
        }
        int lengthBytes = bytes.position() + Integer.BYTES;
        bytes.putInt(Integer.BYTES, lengthBytes).putInt(lengthBytes);
        return Arrays.copyOf(bytes.array(), lengthBytes);
    }
}
