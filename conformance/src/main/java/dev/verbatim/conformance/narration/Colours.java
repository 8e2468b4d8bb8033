// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

/** Colours for a terminal. */
enum Colours {
    LEFT(36),
    RIGHT(35),
    GOOD(32),
    BAD(31),
    TITLE(1),
    FAINT(2);

    private static final String ESCAPE = "\u001b[";

    private final int code;

    Colours(int code) {
        this.code = code;
    }

    /** The text in this colour. */
    String on(String text) {
        return ESCAPE + code + "m" + text + ESCAPE + "0m";
    }
}
