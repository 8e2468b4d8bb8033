// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import java.io.PrintWriter;

/** A record that a command has found: a line for programs, and a text for people. */
public interface Result extends Line {

    /** Prints it for people: whole lines, or nothing. */
    void text(PrintWriter out);
}
