// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/**
 * SipHash-2-4 of eight bytes: a function whose values are indistinguishable from random numbers without its key, however many are
 * seen (Aumasson and Bernstein, 2012).
 */
public final class SipHash {

    private static final long LENGTH_BLOCK = 8L << 56;

    private final long key0;
    private final long key1;

    /** The function with this key of 128 bits. */
    public SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** Its value. */
    public long of(long message) {
        State state = new State(key0, key1);
        state.compress(message);
        state.compress(LENGTH_BLOCK);
        return state.end();
    }

    /** What the rounds turn over. */
    private static final class State {

        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void compress(long block) {
            v3 ^= block;
            round();
            round();
            v0 ^= block;
        }

        long end() {
            v2 ^= 0xff;
            round();
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
