// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import dev.verbatim.conformance.narration.Diagram;

/** The terminal that a command is used on, as far as the launcher knows it. */
public final class Terminal {

    private static final int USUAL_COLUMNS = 80;

    private Terminal() {}

    /** How wide a story may be. */
    public static int columns() {
        return columns(System.getProperty("verbatim.columns", ""));
    }

    /** What {@code COLUMNS} says, within the widths of a drawing; 80 where it says nothing. */
    public static int columns(String said) {
        int columns = said.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(said) : USUAL_COLUMNS;
        return Math.min(Math.max(columns, Diagram.LEAST_WIDTH_CHARS), Diagram.MOST_WIDTH_CHARS);
    }

    /** Whether a line on standard error can be written again. */
    public static boolean rewritesErrors() {
        return Boolean.getBoolean("verbatim.terminal");
    }
}
