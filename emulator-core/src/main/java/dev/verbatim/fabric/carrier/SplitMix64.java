// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

/** Pseudorandom numbers by SplitMix64, spelled out here so that no Java version changes them. */
public final class SplitMix64 {

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final long FIRST_MIX = 0xbf58476d1ce4e5b9L;
    private static final long SECOND_MIX = 0x94d049bb133111ebL;

    private long state;

    /** The sequence of a seed. */
    public SplitMix64(long seed) {
        this.state = seed;
    }

    /** The next number of 64 bits. */
    public long next() {
        state += STEP;
        long mixed = (state ^ state >>> 30) * FIRST_MIX;
        mixed = (mixed ^ mixed >>> 27) * SECOND_MIX;
        return mixed ^ mixed >>> 31;
    }

    /** The next number, from 0 to {@code bound - 1}; {@code bound} is at least 1. */
    public int below(int bound) {
        return (int) Long.remainderUnsigned(next(), bound);
    }
}
