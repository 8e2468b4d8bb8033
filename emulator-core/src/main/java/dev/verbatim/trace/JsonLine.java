// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Builds one JSON object on one line, member by member, and then the next; nested objects are opened and closed. */
final class JsonLine {

    private static final int USUAL_CHARS = 1024;
    private static final int FIRST_PRINTABLE = 0x20;
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder text = new StringBuilder(USUAL_CHARS);

    JsonLine begin() {
        text.setLength(0);
        text.append('{');
        return this;
    }

    /** Returns the line that is complete now, in UTF-8. */
    byte[] end() {
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    JsonLine open(String name) {
        name(name).append('{');
        return this;
    }

    JsonLine close() {
        text.append('}');
        return this;
    }

    JsonLine with(String name, long number) {
        name(name).append(number);
        return this;
    }

    JsonLine with(String name, boolean value) {
        name(name).append(value);
        return this;
    }

    JsonLine with(String name, @Nullable String value) {
        name(name);
        if (value == null) {
            text.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** A value whose bits matter more than its size: as text, which no reader rounds. */
    JsonLine withHex64(String name, long bits) {
        return with(name, "0x" + Long.toHexString(bits));
    }

    /** A key, or other four bytes: as eight digits. */
    JsonLine withHex32(String name, int bits) {
        name(name).append("\"0x");
        for (int shift = Integer.SIZE - 4; shift >= 0; shift -= 4) {
            text.append(HEX.charAt(bits >>> shift & 0xf));
        }
        text.append('"');
        return this;
    }

    private StringBuilder name(String name) {
        if (text.charAt(text.length() - 1) != '{') {
            text.append(',');
        }
        quote(name);
        return text.append(':');
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c < FIRST_PRINTABLE || Character.isSurrogate(c)) {
                // Half a surrogate pair has no UTF-8; escaped, whole pairs and halves alike come back as they were.
                escape(c);
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    private void escape(char c) {
        text.append("\\u");
        for (int shift = Character.SIZE - 4; shift >= 0; shift -= 4) {
            text.append(HEX.charAt(c >>> shift & 0xf));
        }
    }
}
