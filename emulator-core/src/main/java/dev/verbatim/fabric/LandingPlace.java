// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.nio.ByteBuffer;

/**
 * Where in registered memory a carrier may put the payload of a packet that is arriving, so that it need not be copied. A reusable
 * holder: owned by a carrier, filled by a device. The memory may be gone, or go at any time: then the carrier puts the payload
 * elsewhere, and the device finds out.
 */
public final class LandingPlace {

    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NOWHERE;
    private int index;

    /** The payload's first byte belongs at that index, and the others behind it. */
    public void set(ByteBuffer memory, int firstIndex) {
        buffer = memory;
        index = firstIndex;
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
