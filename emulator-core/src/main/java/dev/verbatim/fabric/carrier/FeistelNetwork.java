// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import java.util.function.LongUnaryOperator;

/**
 * A permutation of the numbers of an even number of bits, at most 32. Without its keyed function it cannot be told from a random one, even
 * by who has seen where many numbers go. It has as many rounds as format-preserving encryption has, and needs no table.
 */
public final class FeistelNetwork {

    /** Of FF1 in NIST SP 800-38G; with four, many pairs of so few bits would betray the network. */
    private static final int ROUNDS = 10;

    private final int halfBits;
    private final int halfMask;
    private final LongUnaryOperator keyed;

    /** A permutation of numbers of twice {@code halfBits} bits, with a keyed function of the round and a half. */
    public FeistelNetwork(int halfBits, LongUnaryOperator keyed) {
        this.halfBits = halfBits;
        this.halfMask = (1 << halfBits) - 1;
        this.keyed = keyed;
    }

    /** Where a number goes. */
    public int of(int number) {
        int left = number >>> halfBits;
        int right = number & halfMask;
        for (int round = 0; round < ROUNDS; round++) {
            int mixed = left ^ ((int) keyed.applyAsLong((long) round << Integer.SIZE | right) & halfMask);
            left = right;
            right = mixed;
        }
        return left << halfBits | right;
    }
}
