// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import java.util.List;

/** Numbers drawn from a SplitMix64 sequence, spelled out here so that no Java version changes them. */
public final class Draw {

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final long FIRST_MIX = 0xbf58476d1ce4e5b9L;
    private static final long SECOND_MIX = 0x94d049bb133111ebL;
    private static final int MILLE = 1_000;

    private long state;

    /** The numbers of that stream of that program of that seed; other streams and programs have others. */
    public Draw(long seed, int program, int stream) {
        state = mixed(mixed(seed + STEP) + program) + stream;
        state = mixed(state);
    }

    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * FIRST_MIX;
        mixed = (mixed ^ mixed >>> 27) * SECOND_MIX;
        return mixed ^ mixed >>> 31;
    }

    /** Any 64 bits. */
    public long next() {
        state += STEP;
        return mixed(state);
    }

    /** From 0 to {@code bound - 1}. */
    public int below(int bound) {
        return (int) Long.remainderUnsigned(next(), bound);
    }

    /** From {@code least} to {@code most}. */
    public int between(int least, int most) {
        return least + below(most - least + 1);
    }

    /** True in so many cases of a hundred. */
    public boolean percent(int percent) {
        return below(100) < percent;
    }

    /** True in so many cases of a thousand. */
    boolean perMille(int perMille) {
        return below(MILLE) < perMille;
    }

    /** One of them. */
    public <T> T of(List<T> things) {
        return things.get(below(things.size()));
    }
}
