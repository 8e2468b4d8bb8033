// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes maps, lists, texts, numbers and truth values as YAML: what is small on one line, the rest indented. */
public final class YamlText {

    private static final int WIDTH_CHARS = 110;
    private static final int INDENT_CHARS = 2;

    /** The outermost levels are easier to read on lines of their own, however small. */
    private static final int ALWAYS_LINES_ABOVE = 3;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_+./-]*(:[0-9]+)?");
    private static final Pattern SENTENCE = Pattern.compile("[A-Za-z]([A-Za-z0-9_ .()=<>/+-]*[A-Za-z0-9.)])?");
    private static final Pattern RESERVED = Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n");

    private final StringBuilder out = new StringBuilder();

    private YamlText() {}

    /** The value as a YAML document. */
    public static String of(Map<String, Object> document) {
        YamlText text = new YamlText();
        text.map(document, 0, 0);
        return text.out.toString();
    }

    /** The value on one line. */
    public static String line(Object value) {
        StringBuilder line = new StringBuilder();
        flow(value, line);
        return line.toString();
    }

    private void map(Map<?, ?> map, int indent, int depth) {
        map.forEach((key, value) -> {
            out.append(" ".repeat(indent));
            flow(String.valueOf(key), out);
            out.append(':');
            value(value, indent, depth + 1, lengthOf(String.valueOf(key)));
        });
    }

    private void value(Object value, int indent, int depth, int used) {
        if (value instanceof String text && SENTENCE.matcher(text).matches() && !isReserved(text)) {
            out.append(' ').append(text).append('\n');
        } else if (fitsOneLine(value, depth, indent + used)) {
            out.append(' ').append(line(value)).append('\n');
        } else if (value instanceof Map<?, ?> map) {
            out.append('\n');
            map(map, indent + INDENT_CHARS, depth);
        } else if (value instanceof List<?> list) {
            out.append('\n');
            list(list, indent + INDENT_CHARS, depth);
        }
    }

    private void list(List<?> list, int indent, int depth) {
        for (Object item : list) {
            out.append(" ".repeat(indent)).append('-');
            if (fitsOneLine(item, depth + 1, indent)) {
                out.append(' ').append(line(item)).append('\n');
            } else if (item instanceof Map<?, ?> map) {
                int start = out.length() - 1;
                map(map, indent + INDENT_CHARS, depth + 1);
                // The first key stands behind the dash.
                out.delete(start + 1, start + 1 + indent + 1);
            } else if (item instanceof List<?> inner) {
                out.append('\n');
                list(inner, indent + INDENT_CHARS, depth + 1);
            }
        }
    }

    private static boolean fitsOneLine(Object value, int depth, int used) {
        if (!(value instanceof Map) && !(value instanceof List)) {
            return true;
        }
        if (value instanceof Map<?, ?> map && !map.isEmpty() && depth < ALWAYS_LINES_ABOVE) {
            return false;
        }
        if (value instanceof List<?> list
                && depth <= ALWAYS_LINES_ABOVE
                && list.stream().anyMatch(Map.class::isInstance)) {
            return false;
        }
        return used + lengthOf(value) + 4 <= WIDTH_CHARS;
    }

    private static int lengthOf(Object value) {
        return line(value).length();
    }

    private static void flow(Object value, StringBuilder line) {
        if (value instanceof Map<?, ?> map) {
            line.append('{');
            String separator = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                line.append(separator);
                flow(String.valueOf(entry.getKey()), line);
                line.append(": ");
                flow(entry.getValue(), line);
                separator = ", ";
            }
            line.append('}');
        } else if (value instanceof List<?> list) {
            line.append('[');
            String separator = "";
            for (Object item : list) {
                line.append(separator);
                flow(item, line);
                separator = ", ";
            }
            line.append(']');
        } else if (value instanceof String text) {
            line.append(PLAIN.matcher(text).matches() && !isReserved(text) ? text : quoted(text));
        } else {
            line.append(value);
        }
    }

    private static boolean isReserved(String text) {
        return RESERVED.matcher(text).matches();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(code -> {
            if (code == '"' || code == '\\') {
                quoted.append('\\').appendCodePoint(code);
            } else if (code < ' '
                    || (code >= 0x7f && code < 0xa0)
                    || code == 0x2028
                    || code == 0x2029
                    || code > 0xffff
                    || code == 0xfeff
                    || (code >= 0xd800 && code < 0xe000)) {
                quoted.append(String.format(Locale.ROOT, code > 0xffff ? "\\U%08x" : "\\u%04x", code));
            } else {
                quoted.appendCodePoint(code);
            }
        });
        return quoted.append('"').toString();
    }
}
