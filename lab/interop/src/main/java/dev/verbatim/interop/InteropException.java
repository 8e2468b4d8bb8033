// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

/** A program and its peer do not get on; the message is one sentence. */
public final class InteropException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What happened. */
    public InteropException(String message) {
        super(message);
    }

    /** What happened, and what caused it. */
    public InteropException(String message, Exception cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
