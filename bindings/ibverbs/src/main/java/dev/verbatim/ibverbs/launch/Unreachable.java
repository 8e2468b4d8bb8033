// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

/** A program cannot be run on a Verbatim device, or not at all; the message is one sentence, with what to do about it. */
final class Unreachable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unreachable(String message) {
        super(message);
    }
}
