// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

/** The studio cannot do what it was asked to; the message says why and what to do about it. */
public final class StudioException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StudioException(String message) {
        super(message);
    }
}
