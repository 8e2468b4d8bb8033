// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a local key leads to. */
final class Region {

    final int lkey;
    final int rkey;
    final Memory memory;
    final CallSite site;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final long offset;
    private final long lengthBytes;
    private final long address;
    private final int access;

    /** All bytes of the memory, unless they are to be asked for. */
    private final @Nullable ByteBuffer bytes;

    /**
     * A region of a memory.
     *
     * @param offset first byte of the memory
     * @param address what the keys call that byte
     * @param access its access flags
     * @param site where it was registered
     */
    Region(int lkey, int rkey, Memory memory, long offset, long lengthBytes, long address, int access, CallSite site) {
        this.site = site;
        this.lkey = lkey;
        this.rkey = rkey;
        this.memory = memory;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.address = address;
        this.access = access;
        this.bytes = memory.isGuarded() ? null : memory.buffer();
    }

    /** The bytes that the keys call so. */
    Range at(long named, long count) {
        return new Range(memory.address() + offset + (named - address), count);
    }

    /** A buffer with {@code count} bytes from that address on; an empty one if they cannot be read now. */
    ByteBuffer bytesAt(long memoryAddress, int count) {
        ByteBuffer all = bytes;
        if (all != null) {
            return all;
        }
        long from = memoryAddress - memory.address();
        return memory.isUsable(from, count, false) ? memory.stride(from) : NOTHING;
    }

    /** Where in {@link #bytesAt} the byte is that has this address. */
    int indexOf(long memoryAddress) {
        return memory.indexIn(memoryAddress - memory.address());
    }

    /** All its bytes, as the memory counts. */
    Range bytes() {
        return new Range(memory.address() + offset, lengthBytes);
    }

    /** Whether its pages may come and go. */
    boolean isOnDemand() {
        return (access & AccessFlags.ON_DEMAND) != 0;
    }

    /** What order it keeps. */
    Ordering ordering() {
        if ((access & AccessFlags.UNORDERED) != 0) {
            return Ordering.UNORDERED;
        }
        return (access & AccessFlags.RELAXED_ORDERING) != 0 ? Ordering.RELAXED : Ordering.STRICT;
    }

    /** In a sentence, with the place where it was registered. */
    String registered() {
        return site.isEmpty() ? toString() : this + " registered at " + site;
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
