// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One thread that calls random verbs. What it draws follows from the seed; what it meets does not. */
final class Worker implements Runnable {

    private static final int MOST_POLLED = 32;

    private final World world;
    private final int number;
    private final RandomGenerator random;
    private final long endNanos;
    private final WorkCompletion[] holders = new WorkCompletion[MOST_POLLED];
    private final Deque<Runnable> owed = new ArrayDeque<>();
    private volatile long stepNanos = System.nanoTime();
    private volatile boolean over;

    Worker(World world, int number, long endNanos) {
        this.world = world;
        this.number = number;
        this.random = new SplittableRandom(world.plan().seed() * SoakPlan.MOST_THREADS + number);
        this.endNanos = endNanos;
        Arrays.setAll(holders, i -> new WorkCompletion());
    }

    int number() {
        return number;
    }

    RandomGenerator random() {
        return random;
    }

    World world() {
        return world;
    }

    boolean isOver() {
        return over;
    }

    /** When its present step began. */
    long stepNanos() {
        return over ? Long.MAX_VALUE : stepNanos;
    }

    @Override
    public void run() {
        while (System.nanoTime() < endNanos && world.findings().isEmpty()) {
            stepNanos = System.nanoTime();
            call(Verbs.draw(random));
        }
        over = true;
    }

    private void call(Verb verb) {
        world.figures().verbs.add(verb.name());
        try {
            verb.action().accept(this);
        } catch (VerbsException refused) {
            world.figures()
                    .refusals
                    .add(verb.name() + " " + refused.errno() + " "
                            + refused.refusal().rule());
        } catch (RuntimeException | Error e) {
            world.findings().thrown(verb.name(), e);
        }
    }

    /** Whether something of that probability happens. */
    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Side side() {
        return oneOf(world.sides());
    }

    Pair pair() {
        return oneOf(world.pairs());
    }

    End end(Pair pair) {
        return random.nextBoolean() ? pair.near() : pair.far();
    }

    /** Room for so many completions. */
    WorkCompletion[] holders() {
        return Arrays.copyOf(holders, 1 + random.nextInt(MOST_POLLED));
    }

    /** Took an event; it will be acknowledged now or later. */
    void took(CompletionEvent event) {
        world.figures().events.add("completion event");
        owe(event::acknowledge);
    }

    /** Took an event; it will be acknowledged now or later. */
    void took(AsyncEvent event) {
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
    void acknowledge(int most) {
        for (int i = 0; i < most && !owed.isEmpty(); i++) {
            owed.removeFirst().run();
        }
    }
}
