// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where in registered memory a carrier may put the payload of a packet that is arriving, so that it need not be copied. A reusable
 * holder: owned by a carrier, filled by a device.
 */
public final class LandingPlace {

    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NOWHERE;
    private int index;
    private @Nullable Guard guard;
    private long offset;

    /** Says whether memory can still be written that its owner may take away. */
    @FunctionalInterface
    public interface Guard {

        /** Whether {@code lengthBytes} bytes from {@code offset} on can be written. */
        boolean isUsable(long offset, int lengthBytes);
    }

    /** The payload's first byte belongs at that index, and the others behind it. */
    public void set(ByteBuffer memory, int firstIndex) {
        buffer = memory;
        index = firstIndex;
        guard = null;
    }

    /** The same of memory that has to be asked; its first byte is at that offset for the guard. */
    public void set(ByteBuffer memory, int firstIndex, Guard asked, long firstOffset) {
        set(memory, firstIndex);
        guard = asked;
        offset = firstOffset;
    }

    /** Whether bytes of the payload can be touched where they belong, now; to be asked right before that. */
    public boolean isUsable(int from, int lengthBytes) {
        return guard == null || lengthBytes == 0 || guard.isUsable(offset + from, lengthBytes);
    }

    /** Forgets the memory. */
    public void clear() {
        set(NOWHERE, 0);
    }

    /** The memory, whose position and limit are to stay as they are. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Where in the memory the first byte belongs. */
    public int index() {
        return index;
    }
}
