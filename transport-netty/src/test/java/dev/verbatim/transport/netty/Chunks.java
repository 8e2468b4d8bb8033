// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

/** Cuts bytes into pieces as they might arrive, by a number: the same number cuts alike each time. */
final class Chunks {

    private static final int SHORT_BYTES = 97;
    private static final int LONG_BYTES = 20_011;

    private final byte[] bytes;
    private final int from;
    private int state;
    private int at;

    /**
     * Bytes from a place on.
     *
     * @param seed 0 leaves them whole
     */
    Chunks(byte[] bytes, int from, int seed) {
        this.bytes = bytes;
        this.from = from;
        this.state = seed;
    }

    boolean isEmpty() {
        return from + at >= bytes.length;
    }

    /** Another decision that the number makes, at each cut anew. */
    boolean isEven() {
        return (state >>> 9 & 1) == 0;
    }

    /** Takes up to so many bytes; at least one. */
    byte[] next(int most) {
        int left = bytes.length - from - at;
        int count = Math.min(left, most);
        if (state != 0) {
            state = state * 69_069 + 1;
            count = Math.min(count, 1 + (state >>> 16) % (state < 0 ? SHORT_BYTES : LONG_BYTES));
        }
        byte[] chunk = new byte[count];
        System.arraycopy(bytes, from + at, chunk, 0, count);
        at += count;
        return chunk;
    }
}
