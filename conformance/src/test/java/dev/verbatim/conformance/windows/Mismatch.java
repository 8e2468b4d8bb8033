// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

/** Model and device do not agree. The message is the program up to there, one line for each step, and what differs. */
public final class Mismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Program program;
    private final String difference;

    /** Found at the last step of what is given. */
    public Mismatch(Program until, String difference, Throwable cause) {
        super("\n" + Ground.DESCRIPTION.stripTrailing() + until + "\n    -> " + difference, cause);
        this.program = until;
        this.difference = difference;
    }

    /** What differs. */
    public String difference() {
        return difference;
    }

    /** The steps until there. */
    public Program program() {
        return program;
    }
}
