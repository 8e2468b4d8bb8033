// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How often a test tries what it draws: few times in a build, more with {@code -Dverbatim.ci}, which {@code .ci/run} and mutation runs set,
 * and as often as docs/internals/testing.md says with {@code -Dverbatim.full}.
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

    /**
     * Whether a test that takes long runs: with {@code -Dverbatim.ci}, of which {@code -Dverbatim.part=K/N} takes every N-th test, from the
     * K-th on. Which one a test is, is a function of its name.
     */
    public static boolean runs(ExtensionContext test) {
        String[] part = System.getProperty("verbatim.part", "0/1").split("/");
        return CI
                && Math.floorMod(test.getUniqueId().hashCode(), Integer.parseInt(part[1])) == Integer.parseInt(part[0]);
    }

    /** One of the three counts; {@code -Dverbatim.NAME=N} sets one count alone. */
    public static int of(String name, int inABuild, int inCi, int full) {
        return Integer.getInteger("verbatim." + name, FULL ? full : CI ? inCi : inABuild);
    }
}
