// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The message of {@code rping}: an advertisement of memory, {@value #BYTES} bytes, big-endian.
 *
 * @param address of the memory
 * @param rkey of the memory
 * @param lengthBytes of the memory
 */
record RpingMemory(long address, int rkey, int lengthBytes) {

    static final int BYTES = 16;

    private static final int KEY_AT = 8;
    private static final int LENGTH_AT = 12;

    static RpingMemory of(MemoryRegion region, int lengthBytes) {
        return new RpingMemory(region.address(), region.rkey(), lengthBytes);
    }

    static RpingMemory parse(ByteBuffer bytes) {
        ByteBuffer big = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new RpingMemory(big.getLong(0), big.getInt(KEY_AT), big.getInt(LENGTH_AT));
    }

    void writeTo(ByteBuffer bytes) {
        bytes.duplicate()
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(0, address)
                .putInt(KEY_AT, rkey)
                .putInt(LENGTH_AT, lengthBytes);
    }
}
