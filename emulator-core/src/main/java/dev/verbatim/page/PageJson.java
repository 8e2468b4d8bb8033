// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import java.util.List;
import java.util.Map;

/**
 * Writes JSON that may stand in a script element of HTML: {@code <} is escaped, so nothing in it ends the element, and so are
 * control characters and half surrogate pairs.
 */
final class PageJson {

    private static final int FIRST_PRINTABLE = 0x20;

    private final StringBuilder text;

    private PageJson(StringBuilder text) {
        this.text = text;
    }

    /** The value as JSON: a map, a list, a string, a number, a Boolean. */
    static String of(Object value) {
        PageJson json = new PageJson(new StringBuilder());
        json.put(value);
        return json.text.toString();
    }

    private void put(Object value) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator);
                quote(String.valueOf(entry.getKey()));
                text.append(':');
                put(entry.getValue());
                separator = ",";
            }
            text.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            text.append('[');
            for (int i = 0; i < list.size(); i++) {
                text.append(i == 0 ? "" : ",");
                put(list.get(i));
            }
            text.append(']');
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            quote(value.toString());
        }
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE || c == '<' || Character.isSurrogate(c)) {
                text.append(escaped(c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** A character as its four hexadecimal digits behind a backslash and u. */
    static String escaped(char c) {
        String digits = Integer.toHexString(c);
        return "\\u" + "0".repeat(4 - digits.length()) + digits;
    }
}
