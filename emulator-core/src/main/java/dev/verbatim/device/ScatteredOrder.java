// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import java.util.function.IntUnaryOperator;

/**
 * A permutation of a range of numbers that looks random to whoever does not know its seed (KEY-P6): a Feistel network
 * over the next even number of bits, applied again as long as it leads out of the range. It needs no table.
 */
final class ScatteredOrder implements IntUnaryOperator {

    private static final int ROUNDS = 4;
    private static final long ROUND_STEP = 0x9e3779b97f4a7c15L;
    private static final long FIRST_MIX = 0xbf58476d1ce4e5b9L;
    private static final long SECOND_MIX = 0x94d049bb133111ebL;

    private final int first;
    private final int count;
    private final int halfBits;
    private final int halfMask;
    private final long seed;

    /** A permutation of {@code first} to {@code last}. */
    ScatteredOrder(int first, int last, long seed) {
        this.first = first;
        this.count = last - first + 1;
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1 << halfBits) - 1;
        this.seed = seed;
    }

    @Override
    public int applyAsInt(int number) {
        int scattered = number - first;
        do {
            scattered = scatter(scattered);
        } while (scattered >= count);
        return first + scattered;
    }

    private int scatter(int value) {
        int left = value >>> halfBits;
        int right = value & halfMask;
        for (int round = 1; round <= ROUNDS; round++) {
            int mixed = left ^ (mix(seed + round * ROUND_STEP + right) & halfMask);
            left = right;
            right = mixed;
        }
        return left << halfBits | right;
    }

    private static int mix(long value) {
        long mixed = (value ^ value >>> 30) * FIRST_MIX;
        mixed = (mixed ^ mixed >>> 27) * SECOND_MIX;
        return (int) (mixed ^ mixed >>> 31);
    }
}
