// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.memory;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** 4096 bytes of which some are known. */
final class ShadowPage {

    static final int BITS = 12;
    static final int BYTES = 1 << BITS;
    static final int OFFSET_MASK = BYTES - 1;

    private final byte[] bytes = new byte[BYTES];
    private final ByteBuffer view = ByteBuffer.wrap(bytes);
    /** Null once all are. */
    private @Nullable BitSet known = new BitSet(BYTES);

    byte get(int offset) {
        return bytes[offset];
    }

    boolean isKnown(int offset) {
        return known == null || known.get(offset);
    }

    void write(int offset, ByteBuffer data, int index, int count) {
        data.get(index, bytes, offset, count);
        learn(offset, count);
    }

    private void learn(int offset, int count) {
        BitSet some = known;
        if (some != null) {
            some.set(offset, offset + count);
            if (some.nextClearBit(0) == BYTES) {
                known = null;
            }
        }
    }

    /** As {@link ShadowMemory#compare}. */
    int compare(int offset, ByteBuffer data, int index, int count) {
        BitSet some = known;
        if (some == null || some.nextClearBit(offset) >= offset + count) {
            int differs = data.slice(index, count).mismatch(view.slice(offset, count));
            return differs < 0 ? 0 : -1 - differs;
        }
        int unknown = 0;
        for (int i = 0; i < count; i++) {
            if (!some.get(offset + i)) {
                unknown++;
                bytes[offset + i] = data.get(index + i);
            } else if (bytes[offset + i] != data.get(index + i)) {
                return -1 - i;
            }
        }
        learn(offset, count);
        return unknown;
    }
}
