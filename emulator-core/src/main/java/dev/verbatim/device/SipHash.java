// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

/**
 * SipHash-2-4 of eight bytes: a function that nobody who lacks its key can tell from random numbers, however many he has
 * seen (Aumasson and Bernstein, 2012).
 */
final class SipHash {

    private static final long LENGTH_BLOCK = 8L << 56;

    private final long first;
    private final long second;

    /** The function with this key of 128 bits. */
    SipHash(long first, long second) {
        this.first = first;
        this.second = second;
    }

    long of(long message) {
        long v0 = first ^ 0x736f6d6570736575L;
        long v1 = second ^ 0x646f72616e646f6dL;
        long v2 = first ^ 0x6c7967656e657261L;
        long v3 = second ^ 0x7465646279746573L;
        for (int round = 0; round < 8; round++) {
            if (round == 0) {
                v3 ^= message;
            } else if (round == 2) {
                v0 ^= message;
                v3 ^= LENGTH_BLOCK;
            } else if (round == 4) {
                v0 ^= LENGTH_BLOCK;
                v2 ^= 0xff;
            }
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
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
