// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.SoakState;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.VerbsException;

/** What one thread does: it calls random verbs until its time is over or something was found. */
public final class RandomVerbs implements Runnable {

    private final Worker worker;
    private final long endNanos;
    private volatile boolean ended;
    private volatile long stepNanos = System.nanoTime();
    private volatile boolean over;

    public RandomVerbs(Worker worker, long endNanos) {
        this.worker = worker;
        this.endNanos = endNanos;
    }

    public Worker worker() {
        return worker;
    }

    public boolean isOver() {
        return over;
    }

    /** When its present step began. */
    public long stepNanos() {
        return over ? Long.MAX_VALUE : stepNanos;
    }

    /** No further verb is called, though there is time. */
    public void end() {
        ended = true;
    }

    @Override
    public void run() {
        while (!ended
                && System.nanoTime() < endNanos
                && worker.world().failures().isEmpty()) {
            stepNanos = System.nanoTime();
            call(Verbs.draw(worker.random()));
        }
        over = true;
    }

    private void call(Verb verb) {
        SoakState world = worker.world();
        world.figures().verbs.add(verb.name());
        try {
            verb.action().accept(worker);
        } catch (VerbsException refused) {
            world.figures()
                    .refusals
                    .add(verb.name() + " " + refused.errno() + " "
                            + refused.refusal().rule());
        } catch (RuntimeException | Error e) {
            world.failures().thrown(verb.name(), e);
        }
    }
}
