// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import java.util.function.IntUnaryOperator;

/**
 * A permutation of a range of numbers. Without its seed it cannot be told from a random one, even by who has seen where many
 * numbers go (KEY-P6). A Feistel network over the next even number of bits, applied again as long as it leads out of the range,
 * with as many rounds as format-preserving encryption has and a keyed function in each. It needs no table.
 */
public final class SeededPermutation implements IntUnaryOperator {

    /** Of FF1 in NIST SP 800-38G; with four, many pairs of so few bits would betray the network. */
    private static final int ROUNDS = 10;

    private final int first;
    private final int count;
    private final int halfBits;
    private final int halfMask;
    private final SipHash hash;

    /** A permutation of {@code first} to {@code last}; ranges that begin elsewhere have others under the same seed. */
    public SeededPermutation(int first, int last, long seed) {
        this.first = first;
        this.count = last - first + 1;
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1 << halfBits) - 1;
        this.hash = new SipHash(seed, first);
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
        for (int round = 0; round < ROUNDS; round++) {
            int mixed = left ^ ((int) hash.of((long) round << Integer.SIZE | right) & halfMask);
            left = right;
            right = mixed;
        }
        return left << halfBits | right;
    }
}
