// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Draws choices from a SplitMix64 sequence, spelled out here so that no Java version changes it. */
final class SeededChoices implements Choices {

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final long FIRST_MIX = 0xbf58476d1ce4e5b9L;
    private static final long SECOND_MIX = 0x94d049bb133111ebL;

    private long state;

    SeededChoices(long seed) {
        this.state = seed;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (alternatives < 1) {
            throw new IllegalArgumentException(point + " has alternatives=" + alternatives + " < 1");
        }
        state += STEP;
        long mixed = (state ^ state >>> 30) * FIRST_MIX;
        mixed = (mixed ^ mixed >>> 27) * SECOND_MIX;
        mixed ^= mixed >>> 31;
        return (int) Long.remainderUnsigned(mixed, alternatives);
    }

    @Override
    public String toString() {
        return "choices drawn from a seed";
    }
}
