// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.fabric.carrier.FeistelNetwork;
import java.util.function.IntUnaryOperator;

/**
 * A permutation of a range of numbers. Without its seed it cannot be told from a random one, even by who has seen where many
 * numbers go (KEY-P6). A Feistel network over the next even number of bits, applied again as long as it leads out of the range.
 */
public final class SeededPermutation implements IntUnaryOperator {

    private final int first;
    private final int count;
    private final FeistelNetwork network;

    /** A permutation of {@code first} to {@code last}; ranges that begin elsewhere have others under the same seed. */
    public SeededPermutation(int first, int last, long seed) {
        this.first = first;
        this.count = last - first + 1;
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        this.network = new FeistelNetwork((bits + 1) / 2, new SipHash(seed, first)::of);
    }

    @Override
    public int applyAsInt(int number) {
        int scattered = number - first;
        do {
            scattered = network.of(scattered);
        } while (scattered >= count);
        return first + scattered;
    }
}
