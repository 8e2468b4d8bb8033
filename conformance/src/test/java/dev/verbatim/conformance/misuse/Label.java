// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import java.util.Locale;

/** Whether a program has a mistake. */
enum Label {
    /** It can end in at least two ways. */
    YES,
    /** It ends in one way, whatever the rules permit. */
    NO;

    static Label named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
