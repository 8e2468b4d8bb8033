// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

/**
 * Something that is wrong in a file.
 *
 * @param path keys that lead there, such as {@code nodes.a.program[2].write}; empty for the whole file
 * @param message what is wrong, and what to do about it
 */
public record Problem(Mark mark, String path, String message) {

    /** One line: where, under which key, what, and what to do. */
    public String in(String file) {
        return file + ":" + mark.line() + ":" + mark.column() + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
