// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one side tells the other of a window, as text in a message: all that a peer needs to use it.
 *
 * @param lengthBytes of the window
 * @param address of its first byte
 * @param rkey its key
 */
record WindowAdvertisement(int lengthBytes, long address, int rkey) {

    /** Bytes of its text, as long as addresses have as many digits as they have. */
    static final int TEXT_BYTES = 43;

    /** What its text looks like. */
    static final String FORM = "(\\d+) B at 0x(\\p{XDigit}+) with rkey 0x(\\p{XDigit}{8})";

    /**
     * Reads it from where a message was received.
     *
     * @throws IllegalStateException if there is none
     */
    static WindowAdvertisement in(ByteBuffer bytes, int offset) {
        byte[] received = new byte[TEXT_BYTES];
        bytes.get(offset, received);
        String text = new String(received, StandardCharsets.US_ASCII);
        Matcher matcher = Pattern.compile(FORM).matcher(text);
        if (!matcher.matches()) {
            throw new IllegalStateException("no offer at offset=" + offset + ": '" + text + "'");
        }
        return new WindowAdvertisement(
                Integer.parseInt(matcher.group(1)),
                Long.parseUnsignedLong(matcher.group(2), 16),
                Integer.parseUnsignedInt(matcher.group(3), 16));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d B at 0x%x with rkey 0x%08x", lengthBytes, address, rkey);
    }
}
