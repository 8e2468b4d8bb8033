// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import java.util.StringJoiner;

/** Turns a set of bits into the names that a reader of a message knows. */
final class FlagNames {

    private FlagNames() {}

    /** Names of the set bits, lowest first, joined by {@code |}; bits without a name as one hexadecimal number. */
    static String describe(int flags, String... names) {
        if (flags == 0) {
            return "0";
        }
        StringJoiner joiner = new StringJoiner("|");
        int unnamed = flags;
        for (int bit = 0; bit < names.length; bit++) {
            if ((flags & 1 << bit) != 0) {
                joiner.add(names[bit]);
                unnamed &= ~(1 << bit);
            }
        }
        if (unnamed != 0) {
            joiner.add(String.format(Locale.ROOT, "0x%x", unnamed));
        }
        return joiner.toString();
    }
}
