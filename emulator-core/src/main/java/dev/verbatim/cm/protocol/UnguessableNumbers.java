// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.fabric.carrier.FeistelNetwork;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.function.LongUnaryOperator;

/**
 * Numbers that strangers should not guess: communication IDs, first PSNs, the first ephemeral port. They follow from a seed, so that a
 * run with the same seed repeats. The sequence of a seed can be told from a few of its numbers, so strangers see them in disguise.
 */
public final class UnguessableNumbers {

    private static final int PSN = 0xff_ffff;
    private static final int HALF_BITS = 16;

    private final LongUnaryOperator disguise;
    private final FeistelNetwork network;
    private final SplitMix64 sequence;
    private final int idMask;
    private int ids;

    UnguessableNumbers(long seed, LongUnaryOperator disguise) {
        this.disguise = disguise;
        network = new FeistelNetwork(HALF_BITS, disguise);
        sequence = new SplitMix64(seed);
        idMask = (int) next();
    }

    private long next() {
        return disguise.applyAsLong(sequence.next());
    }

    /** A communication ID; each comes once in 2^32. Who sees one cannot tell the next: they go through a Feistel network. */
    public int communicationId() {
        return network.of(++ids ^ idMask);
    }

    /** A first PSN. */
    public int psn() {
        return (int) next() & PSN;
    }

    /** From 0 to {@code bound - 1}. */
    int below(int bound) {
        return (int) Math.floorMod(next(), (long) bound);
    }
}
