// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.Locale;

/**
 * A key in words.
 *
 * @param of the thing whose key it is, or nearly is
 * @param bindsAgo for {@link Twist#FORMER}
 */
public record KeyWord(Thing of, Twist twist, int bindsAgo) {

    /** What is done to the key. */
    public enum Twist {
        /** The key as it is; of a window that is bound to nothing, the last one. */
        NONE("the key of %s"),
        /** What the window's object says. */
        RKEY("the rkey field of %s"),
        /** One that the window had. */
        FORMER("a former key of %s"),
        /** The lower 8 bits are not right. */
        NEXT_VARIANT("the next variant of the key of %s"),
        /** The upper 24 bits are not right. */
        NEXT_INDEX("the key after the index of the key of %s"),
        /** The key for local elements; of a window, its key again. */
        LOCAL("the local key of %s"),
        /** Nothing was set. */
        ZERO("key 0");

        private final String words;

        Twist(String words) {
            this.words = words;
        }
    }

    @Override
    public String toString() {
        return twist == Twist.FORMER
                ? "the key of " + of + " of " + bindsAgo + " binds ago"
                : String.format(Locale.ROOT, twist.words, of);
    }
}
