// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/** The bits of a packet that are transmitted as 0 and ignored on receive. */
final class ReservedBits {

    private static final int BEFORE_DEST_QP = 0x3f00_0000;
    private static final int BEFORE_PSN = 0x7f00_0000;
    private static final int BEFORE_24_BITS = 0xff00_0000;
    private static final int OF_FETH = 0xffff_ffc0;

    private ReservedBits() {}

    /** Makes them those of {@code bits}; 0 clears them. */
    static void set(byte[] packet, Opcode opcode, long bits) {
        ByteBuffer buffer = ByteBuffer.wrap(packet);
        set(buffer, Layout.BTH_DEST_QP_WORD, BEFORE_DEST_QP, (int) bits);
        set(buffer, Layout.BTH_PSN_WORD, BEFORE_PSN, (int) (bits >>> 8));
        if (opcode.has(Header.DETH)) {
            set(buffer, opcode.offsetOf(Header.DETH) + Layout.DETH_SOURCE_QP_WORD, BEFORE_24_BITS, (int) (bits >>> 16));
        }
        if (opcode.has(Header.XRCETH)) {
            set(buffer, opcode.offsetOf(Header.XRCETH) + Layout.XRCETH_WORD, BEFORE_24_BITS, (int) (bits >>> 24));
        }
        if (opcode.has(Header.FETH)) {
            set(buffer, opcode.offsetOf(Header.FETH) + Layout.FETH_WORD, OF_FETH, (int) (bits >>> 32));
        }
    }

    private static void set(ByteBuffer packet, int at, int mask, int bits) {
        packet.putInt(at, packet.getInt(at) & ~mask | bits & mask);
    }
}
