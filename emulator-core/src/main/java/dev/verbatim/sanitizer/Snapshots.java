// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of bytes for comparison, in arrays that are used again; at most {@link #MOST_BYTES} at a time. */
final class Snapshots {

    static final long MOST_BYTES = 1L << 26;

    /** Smaller arrays are not worth keeping. */
    private static final int FIRST_KEPT_BITS = 8;

    private static final int MOST_KEPT = 64;
    private static final int WORD_BYTES = 8;

    private final List<ArrayDeque<byte[]>> kept = new ArrayList<>();
    private long bytes;

    Snapshots() {
        for (int bits = 0; bits < Integer.SIZE; bits++) {
            kept.add(new ArrayDeque<>());
        }
    }

    /** A copy; null if there are too many bytes in copies, or the memory was closed. */
    byte @Nullable [] take(ByteBuffer buffer, int index, int count) {
        int bits = bits(count);
        if (bits > 30 || bytes + count > MOST_BYTES) {
            return null;
        }
        byte[] copy = bits < FIRST_KEPT_BITS ? null : kept.get(bits).pollLast();
        if (copy == null) {
            copy = new byte[bits < FIRST_KEPT_BITS ? count : 1 << bits];
        }
        try {
            buffer.get(index, copy, 0, count);
        } catch (RuntimeException | InternalError e) {
            return null;
        }
        bytes += count;
        return copy;
    }

    /** The copy of so many bytes is no longer used. */
    void giveBack(byte[] copy, int count) {
        bytes -= count;
        int bits = bits(count);
        if (bits >= FIRST_KEPT_BITS && kept.get(bits).size() < MOST_KEPT) {
            kept.get(bits).addLast(copy);
        }
    }

    /** Copies bytes anew, as far as the memory was not closed. */
    static void copy(ByteBuffer buffer, int index, byte[] copy, int from, int count) {
        try {
            buffer.get(index, copy, from, count);
        } catch (RuntimeException | InternalError e) {
            // What is gone changes no more: it is not compared either.
        }
    }

    /** So that 2^bits is not less. */
    private static int bits(int count) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    }

    /** The first of {@code count} bytes that differs, from 0; -1 if there is none or the memory was closed. */
    static int mismatch(ByteBuffer buffer, int index, byte[] copy, int from, int count) {
        try {
            if (count <= WORD_BYTES) {
                for (int i = 0; i < count; i++) {
                    if (buffer.get(index + i) != copy[from + i]) {
                        return i;
                    }
                }
                return -1;
            }
            return buffer.slice(index, count).mismatch(ByteBuffer.wrap(copy, from, count));
        } catch (RuntimeException | InternalError e) {
            return -1;
        }
    }
}
