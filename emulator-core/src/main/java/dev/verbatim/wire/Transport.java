// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** A transport service, as the three high bits of an opcode name it (H.2). */
public enum Transport {
    /** Reliable connection. */
    RC(0x00),
    /** Unreliable connection: nothing is acknowledged, nothing is sent twice. */
    UC(0x20),
    /** Unreliable datagram: one packet per message, to the destination in its address handle. */
    UD(0x60),
    /** Extended reliable connection: as RC, but each request names the shared receive queue it is for. */
    XRC(0xa0);

    private final int prefix;

    Transport(int prefix) {
        this.prefix = prefix;
    }

    /** The bits that its opcodes have in common. */
    int prefix() {
        return prefix;
    }
}
