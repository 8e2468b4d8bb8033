// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.plan.SoakPlan;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** What a thread that calls random verbs draws with, and what it owes. What it draws follows from the seed; what it meets does not. */
public final class Worker {

    private static final int MOST_POLLED = 32;

    private final SoakState world;
    private final int number;
    private final RandomGenerator random;
    private final WorkCompletion[] holders = new WorkCompletion[MOST_POLLED];
    private final Deque<Runnable> owed = new ArrayDeque<>();

    public Worker(SoakState world, int number) {
        this.world = world;
        this.number = number;
        this.random = new SplittableRandom(world.plan().seed() * SoakPlan.MOST_THREADS + number);
        Arrays.setAll(holders, i -> new WorkCompletion());
    }

    int number() {
        return number;
    }

    public RandomGenerator random() {
        return random;
    }

    public SoakState world() {
        return world;
    }

    /** Whether something of that probability happens. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public Side side() {
        return oneOf(world.sides());
    }

    public QpSlotPair pair() {
        return oneOf(world.pairs());
    }

    public QpSlot end(QpSlotPair pair) {
        return random.nextBoolean() ? pair.near() : pair.far();
    }

    /** Room for so many completions. */
    public WorkCompletion[] holders() {
        return Arrays.copyOf(holders, 1 + random.nextInt(MOST_POLLED));
    }

    /** Took an event; it will be acknowledged now or later. */
    public void took(CompletionEvent event) {
        world.figures().events.add("completion event");
        owe(event::acknowledge);
    }

    /** Took an event; it will be acknowledged now or later. */
    public void took(AsyncEvent event) {
        world.figures().events.add(event.type().name());
        owe(event::acknowledge);
    }

    private void owe(Runnable acknowledgement) {
        owed.addLast(acknowledgement);
        if (chance(0.8)) {
            acknowledge(owed.size());
        }
    }

    /** Acknowledges the oldest that it owes. */
    public void acknowledge(int most) {
        for (int i = 0; i < most && !owed.isEmpty(); i++) {
            owed.removeFirst().run();
        }
    }
}
