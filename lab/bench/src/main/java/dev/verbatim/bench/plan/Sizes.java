// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of messages as people type them: {@code 8,64K,1M}, or {@code 8-16M} for all powers of two between. */
public final class Sizes {

    /** The smallest: a word, by whose content one sees that it came. */
    public static final int LEAST_BYTES = 8;

    /** The largest. */
    public static final int MOST_BYTES = 16 << 20;

    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([KM]?)");

    private Sizes() {}

    /**
     * Reads them; each once, in order.
     *
     * @throws IllegalArgumentException if the text is something else, or a size is not in 8 B to 16 MiB
     */
    public static List<Integer> parse(String text) {
        TreeSet<Integer> sizes = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            if (dash < 0) {
                sizes.add(size(part));
            } else {
                int last = size(part.substring(dash + 1));
                for (int size = size(part.substring(0, dash)); size <= last; size *= 2) {
                    sizes.add(size);
                }
            }
        }
        return new ArrayList<>(sizes);
    }

    private static int size(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write bytes, K or M, such as 8,64K,1M, or a range such as 8-16M");
        }
        long unit = matcher.group(2).isEmpty() ? 1 : matcher.group(2).equals("K") ? 1 << 10 : 1 << 20;
        long bytes = Long.parseLong(matcher.group(1)) * unit;
        if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("'" + text + "' is not in 8 to 16M");
        }
        return (int) bytes;
    }
}
