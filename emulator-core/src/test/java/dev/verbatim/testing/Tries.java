// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

/**
 * How often a test tries what it draws: few times in a build, more with {@code -Dverbatim.ci}, which {@code .ci/run} and mutation runs set,
 * and as often as docs/testing.md says with {@code -Dverbatim.full}.
 */
public final class Tries {

    private static final boolean FULL = isSet("verbatim.full");
    private static final boolean CI = FULL || isSet("verbatim.ci");

    private Tries() {}

    private static boolean isSet(String property) {
        return Boolean.getBoolean(property) || "".equals(System.getProperty(property));
    }

    /** Whether everything is to be tried. */
    public static boolean isFull() {
        return FULL;
    }

    /** Whether at least that is to be tried which {@code .ci/run} tries. */
    public static boolean isLong() {
        return CI;
    }

    /** One of the three counts; {@code -Dverbatim.NAME=N} sets one count alone. */
    public static int of(String name, int inABuild, int inCi, int full) {
        return Integer.getInteger("verbatim." + name, FULL ? full : CI ? inCi : inABuild);
    }
}
