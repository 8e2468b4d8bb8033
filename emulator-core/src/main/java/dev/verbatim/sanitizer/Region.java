// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.Locale;

/** What a local key leads to. */
final class Region {

    final int lkey;
    final int rkey;
    final Memory memory;

    private final int offset;
    private final int lengthBytes;
    private final long address;
    private final ByteBuffer bytes;

    /**
     * A region of a memory.
     *
     * @param offset first byte of the memory
     * @param address what the keys call that byte
     */
    Region(int lkey, int rkey, Memory memory, int offset, int lengthBytes, long address) {
        this.lkey = lkey;
        this.rkey = rkey;
        this.memory = memory;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.address = address;
        this.bytes = memory.buffer();
    }

    /** The bytes that the keys call so. */
    Range at(long named, int count) {
        return new Range(memory.address() + offset + (named - address), count);
    }

    /** All bytes of the memory. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Where in {@link #bytes} the byte is that has this address. */
    int indexOf(long memoryAddress) {
        return (int) (memoryAddress - memory.address());
    }

    /** Whether the bytes are its own. */
    boolean covers(Range range) {
        return at(address, lengthBytes).covers(range);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "region [0x%x,0x%x)", address, address + lengthBytes);
    }
}
