// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import java.util.function.LongUnaryOperator;

/**
 * Numbers that strangers should not guess: communication IDs, first PSNs, the first ephemeral port. They follow from a seed, so that a
 * run with the same seed repeats. The sequence of a seed can be told from a few of its numbers, so strangers see them in disguise.
 */
public final class Numbers {

    private static final long GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15L;
    private static final int PSN = 0xff_ffff;
    private static final int HALF_BITS = 16;
    private static final int HALF = 0xffff;

    /** Of FF1 in NIST SP 800-38G. */
    private static final int ROUNDS = 10;

    private final LongUnaryOperator disguise;
    private final int idMask;
    private long state;
    private int ids;

    Numbers(long seed, LongUnaryOperator disguise) {
        this.disguise = disguise;
        state = seed;
        idMask = (int) next();
    }

    /** SplitMix64. */
    private long next() {
        state += GOLDEN_GAMMA;
        long mixed = (state ^ state >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return disguise.applyAsLong(mixed ^ mixed >>> 31);
    }

    /** A communication ID; each comes once in 2^32. Who sees one cannot tell the next: they go through a Feistel network. */
    public int communicationId() {
        int id = ++ids ^ idMask;
        for (int round = 0; round < ROUNDS; round++) {
            int right = id & HALF;
            int mixed = (id >>> HALF_BITS) ^ ((int) disguise.applyAsLong((long) round << Integer.SIZE | right) & HALF);
            id = right << HALF_BITS | mixed;
        }
        return id;
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
