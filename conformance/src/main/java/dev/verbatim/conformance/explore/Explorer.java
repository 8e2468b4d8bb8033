// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.SeedMix;
import dev.verbatim.trace.Tap;
import java.util.Set;

/** Makes the programs of a seed and runs each once, several at the same time if that is wanted. What a number means depends on the seed and the types alone. */
public final class Explorer {

    /** More programs do not run at the same time. */
    public static final int MOST_THREADS = 1024;

    /** One program of so many runs with bytes that are held back. */
    private static final int HOLDING_BACK = 8;

    private final long seed;
    private final Set<PairType> types;

    /** All programs of that seed. */
    Explorer(long seed) {
        this(seed, PairType.ALL);
    }

    /** Those with queue pairs of these types. Where RC is the only one they look for no events. */
    public Explorer(long seed, Set<PairType> types) {
        this.seed = seed;
        this.types = Set.copyOf(types);
    }

    /** Sees what comes of each program. */
    @FunctionalInterface
    public interface Observer {
        /** The program of that number has run; returns whether to go on. */
        boolean ran(int number, Scenario program, ProgramResult executed);
    }

    /** The program of that number, from 0. */
    public Scenario program(int number) {
        return ProgramMaker.make(seed, number, types);
    }

    /** Runs the program of that number with the choices that are drawn for it. */
    public ProgramResult run(int number, Tap watcher) {
        return ProgramRun.run(program(number), choices(number), watcher);
    }

    private Choices choices(int number) {
        Draw held = new Draw(seed, number, 2);
        return held.below(HOLDING_BACK) == 0
                ? SeedMix.holdingBytesBack(held.next())
                : new ChoiceBias(new Draw(seed, number, 1));
    }

    /**
     * Runs the programs from 0 on, those of one shard. The observer sees them in their order, on the thread of the caller.
     *
     * @param count how many there are in all shards together
     * @param shard which, from 1 to {@code shards}
     * @param threads how many programs run at the same time, each on a thread of its own; from 1 to {@link #MOST_THREADS}
     */
    public void runAll(int count, int shard, int shards, int threads, Observer observer) {
        try (OrderedTasks<Ran> runs = new OrderedTasks<>("explore", threads)) {
            int next = shard - 1;
            for (int number = next; number < count; number += shards) {
                while (next < count && runs.hasRoom()) {
                    int begun = next;
                    runs.begin(() -> ran(begun));
                    next += shards;
                }
                Ran ran = runs.take();
                if (!observer.ran(number, ran.program(), ran.executed())) {
                    return;
                }
            }
        }
    }

    private Ran ran(int number) {
        Scenario program = program(number);
        return new Ran(program, ProgramRun.run(program, choices(number)));
    }

    private record Ran(Scenario program, ProgramResult executed) {}
}
