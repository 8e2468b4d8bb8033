// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

/**
 * How often a test tries what it draws: few times in every build, and as often as docs/testing.md says with
 * {@code -Dverbatim.full}.
 */
public final class Tries {

    private static final boolean FULL =
            Boolean.getBoolean("verbatim.full") || "".equals(System.getProperty("verbatim.full"));

    private Tries() {}

    /** Whether everything is to be tried. */
    public static boolean isFull() {
        return FULL;
    }

    /** The usual count, or the full one; {@code -Dverbatim.NAME=N} sets one count alone. */
    public static int of(String name, int usual, int full) {
        return Integer.getInteger("verbatim." + name, FULL ? full : usual);
    }
}
