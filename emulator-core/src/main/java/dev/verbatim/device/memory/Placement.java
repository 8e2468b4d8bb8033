// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.wire.MemoryFault;
import dev.verbatim.wire.Payload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Stores bytes into registered memory so that a program that spins on the last bytes of a run, and not on a completion,
 * sees what was placed before them; and does atomics. Each throws {@link InternalError} if memory is gone that it touches
 * ({@link MemoryFault}).
 */
final class Placement {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int WORD_BYTES = 8;

    private Placement() {}

    /** Copies {@code count} bytes of the payload to {@code index}; the last up to eight are stored with release. */
    static void write(ByteBuffer target, int index, Payload payload, int from, int count) {
        int tail = Math.min(count, WORD_BYTES);
        int body = count - tail;
        if (body > 0) {
            payload.copyTo(from, target, index, body);
        }
        VarHandle.releaseFence();
        payload.copyTo(from + body, target, index + body, tail);
    }

    /** The same from a place in a buffer. */
    static void write(ByteBuffer target, int index, ByteBuffer source, int from, int count) {
        int tail = Math.min(count, WORD_BYTES);
        int body = count - tail;
        if (body > 0) {
            target.put(index, source, from, body);
        }
        if (tail == WORD_BYTES) {
            long word = (long) LONGS.get(source, from + body);
            VarHandle.releaseFence();
            LONGS.set(target, index + body, word);
        } else {
            VarHandle.releaseFence();
            target.put(index + body, source, from + body, tail);
        }
        MemoryFault.raise();
    }

    /** Stores the eight bytes of the payload at an aligned index in one piece (NW-01); returns them as a word. */
    static long writeWord(ByteBuffer target, int index, Payload payload) {
        ByteBuffer bytes = ByteBuffer.allocate(WORD_BYTES).order(ByteOrder.nativeOrder());
        payload.copyTo(0, bytes, 0, WORD_BYTES);
        long word = bytes.getLong(0);
        LONGS.setVolatile(target, index, word);
        MemoryFault.raise();
        return word;
    }

    /** Stores {@code swap} at an aligned index if {@code compare} is there; returns what was there (WR-36). */
    static long compareAndSwap(ByteBuffer target, int index, long compare, long swap) {
        long original = (long) LONGS.compareAndExchange(target, index, compare, swap);
        MemoryFault.raise();
        return original;
    }

    /** Adds at an aligned index, wrapping around; returns what was there (WR-36). */
    static long fetchAndAdd(ByteBuffer target, int index, long add) {
        long original = (long) LONGS.getAndAdd(target, index, add);
        MemoryFault.raise();
        return original;
    }
}
