// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What one side's region holds at the end of a step: a text, which may be told by its form only, or a 64-bit word.
 *
 * @param side whose region
 * @param offset where in it
 * @param lengthBytes of the text; 0 for a word
 * @param expected the text, or the word in decimal, or a pattern
 * @param form whether it is a pattern, which the text matches
 */
public record ExpectedMemory(String side, int offset, int lengthBytes, String expected, boolean form) {

    private static final int LONGEST_SHOWN_CHARS = 48;

    /** A region that holds an ASCII text. */
    static ExpectedMemory text(String side, int offset, String text) {
        return new ExpectedMemory(side, offset, text.length(), text, false);
    }

    /** A region that holds an ASCII text of this length and form. */
    static ExpectedMemory form(String side, int offset, int lengthBytes, String pattern) {
        return new ExpectedMemory(side, offset, lengthBytes, pattern, true);
    }

    /** A region that holds a number in the byte order of the machine. */
    public static ExpectedMemory word(String side, int offset, long value) {
        return new ExpectedMemory(side, offset, 0, Long.toString(value), false);
    }

    /** Whether these bytes, those of the region, hold it. */
    boolean isIn(ByteBuffer region) {
        return form ? found(region).matches(expected) : found(region).equals(expected);
    }

    /** What the region holds there, for a reader. */
    String describe(ByteBuffer region) {
        return shown(found(region)) + (isIn(region) ? "" : " instead of " + shown(expected));
    }

    private String found(ByteBuffer region) {
        if (lengthBytes == 0) {
            return Long.toString(region.getLong(offset));
        }
        byte[] bytes = new byte[lengthBytes];
        region.get(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private String shown(String content) {
        if (lengthBytes == 0) {
            return content;
        }
        return content.length() <= LONGEST_SHOWN_CHARS
                ? '"' + content + '"'
                : '"' + content.substring(0, LONGEST_SHOWN_CHARS) + "...\" (" + content.length() + " B)";
    }
}
