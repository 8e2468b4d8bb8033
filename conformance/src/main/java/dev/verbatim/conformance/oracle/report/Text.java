// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

import java.util.Locale;

/** Words of sentences. */
public final class Text {

    private Text() {}

    @SuppressWarnings("AnnotateFormatMethod") // a short name for what it does
    public static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    public static String octet(byte value) {
        return of("0x%02x", value);
    }

    public static String key(int key) {
        return of("key 0x%08x", key);
    }
}
