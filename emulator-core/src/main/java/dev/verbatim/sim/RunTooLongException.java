// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * A run was given up before its end: it had more events than were allowed, or the thread that made it was interrupted. The message says what each
 * program did; the stack is that of the program that took the most steps.
 */
public final class RunTooLongException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    RunTooLongException(String message, StackTraceElement[] place) {
        super(message);
        setStackTrace(place);
    }
}
