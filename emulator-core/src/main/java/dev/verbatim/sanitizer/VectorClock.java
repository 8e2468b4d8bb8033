// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known to have happened, as a vector clock: of each component how far. Components are programs, and of each queue pair several
 * ways in which its requests are known to have got somewhere.
 *
 * <p>Where observers of memory may see different things, it has a clock for each {@link Stage} as well.
 */
final class VectorClock {

    private long[] times;

    /** Null while there are none. */
    private @Nullable Map<Stage, VectorClock> stages;

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
        joinTimes(other);
        Map<Stage, VectorClock> theirs = other.stages;
        if (theirs != null && !equals(other)) {
            theirs.forEach((stage, clock) -> at(stage).join(clock));
        }
    }

    /** The same, but for stages. */
    void joinTimes(VectorClock other) {
        long[] theirs = other.times;
        if (times.length < theirs.length) {
            times = Arrays.copyOf(times, theirs.length);
        }
        for (int i = 0; i < theirs.length; i++) {
            times[i] = Math.max(times[i], theirs[i]);
        }
    }

    /** As of which writes the stage is reached; to be advanced. */
    VectorClock at(Stage stage) {
        Map<Stage, VectorClock> all = stages;
        if (all == null) {
            all = new HashMap<>();
            stages = all;
        }
        return all.computeIfAbsent(stage, first -> new VectorClock());
    }

    /** As of which writes the stage is reached; null for none. */
    @Nullable
    VectorClock known(Stage stage) {
        return stages == null ? null : stages.get(stage);
    }

    VectorClock copy() {
        VectorClock copy = new VectorClock(times.clone());
        if (stages != null) {
            stages.forEach((stage, clock) -> copy.at(stage).join(clock));
        }
        return copy;
    }

    /** What is known, and what of that is at its home, whoever sees it there. */
    VectorClock copyAtHome() {
        VectorClock copy = new VectorClock(times.clone());
        if (stages != null) {
            stages.forEach((stage, clock) -> {
                if (!stage.isView()) {
                    copy.at(stage).join(clock);
                }
            });
        }
        return copy;
    }
}
