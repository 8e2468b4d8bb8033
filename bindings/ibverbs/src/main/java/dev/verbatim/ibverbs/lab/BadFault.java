// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

/** A text is no fault; the message says why, with the nearest word. */
public final class BadFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadFault(String message) {
        super(message, null, false, false);
    }
}
