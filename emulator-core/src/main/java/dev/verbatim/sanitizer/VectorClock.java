// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.Arrays;

/**
 * What is known to have happened, as a vector clock: of each component how far. Components are programs, and of each queue pair several
 * ways in which its requests are known to have got somewhere.
 */
final class VectorClock {

    private long[] times;

    VectorClock() {
        this(new long[8]);
    }

    private VectorClock(long[] times) {
        this.times = times;
    }

    long get(int component) {
        return component < times.length ? times[component] : 0;
    }

    /** It is known to have got so far; never less than before. */
    void advance(int component, long time) {
        if (component >= times.length) {
            times = Arrays.copyOf(times, Math.max(component + 1, 2 * times.length));
        }
        times[component] = Math.max(times[component], time);
    }

    /** All that the other knows is known. */
    void join(VectorClock other) {
        long[] theirs = other.times;
        if (times.length < theirs.length) {
            times = Arrays.copyOf(times, theirs.length);
        }
        for (int i = 0; i < theirs.length; i++) {
            times[i] = Math.max(times[i], theirs[i]);
        }
    }

    VectorClock copy() {
        return new VectorClock(times.clone());
    }
}
