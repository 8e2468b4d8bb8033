// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** Bytes that should have been a packet are none; the message is the sentence of {@link PacketView#wrap}. */
public final class WireFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    WireFormatException(String refusal) {
        super(refusal);
    }
}
