// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.Locale;

/** A place in words, seen from a thing that has a range; a window that has none has that of its region. */
public record Spot(Thing in, Edge edge) {

    /** How the bytes lie to the range. */
    public enum Edge {
        START("from the start of %s"),
        /** The last byte is the last of the range. */
        END("up to the end of %s"),
        /** The first byte is the one before the range; for atomics the word before it. */
        BEFORE_START("from the byte before %s"),
        /** The last byte is the one behind the range; for atomics the word behind it. */
        BEYOND_END("up to the byte behind %s"),
        /** Not a multiple of 8, if the start is one. */
        ODD("from byte 3 of %s"),
        /** By offset from zero, as if it were zero-based. */
        OFFSET("from address 0, meaning %s"),
        /** As far away as it goes. */
        LAST_ADDRESSES("at the end of 64 bits, meaning %s");

        private final String words;

        Edge(String words) {
            this.words = words;
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, edge.words, in);
    }
}
