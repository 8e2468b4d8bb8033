// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

/** A file is no trace; the message names the file, the line, and what to do about it. */
public final class BadTrace extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadTrace(String message) {
        super(message);
    }
}
