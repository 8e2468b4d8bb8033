// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

/** The counters of a process cannot be read; the message says why and what to do about it. */
public final class StatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StatException(String message) {
        super(message);
    }
}
