// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/** Bytes that should have been a management datagram, or a message of it, are none; the message says why. */
public final class MadFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    MadFormatException(String refusal) {
        super(refusal);
    }
}
