// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.Objects;
import java.util.function.Supplier;

/** A program: a thread, or one of a simulation. */
final class ProgramClock {

    final String name;
    final int component;
    final VectorClock clock = new VectorClock();

    /**
     * What it was told by those who did it, or by who heard of it through a message: less than it knows, for a word that a WRITE has stored
     * tells what its writer had heard of others as well. Never changed, but replaced.
     */
    VectorClock told = new VectorClock();

    /** Counts what it does, to see whether it did something else since. */
    long deeds;

    /** In a simulation of steps, where its present step stands; empty for code. */
    Supplier<String> source = () -> "";

    /** Where it posts at the moment; empty if it does not, or if that is not known yet. */
    CallSite posting = CallSite.UNKNOWN;

    /** In a program that is not Java, where it called last. */
    CallSite last = CallSite.UNKNOWN;

    /** Counts what devices told it: completions that it polled, events that it took. */
    long tidings;

    ProgramClock(String name, int component) {
        this.name = Objects.requireNonNull(name);
        this.component = component;
        clock.advance(component, 1);
    }

    /** It is told that much. */
    void learns(VectorClock known) {
        clock.join(known);
        VectorClock all = told.copy();
        all.joinTimes(known);
        told = all;
    }

    /** It sees a word that this request has stored. */
    void learnsByWord(Request request) {
        clock.join(request.clock);
        VectorClock all = told.copy();
        int writer = request.poster.component;
        all.advance(writer, request.clock.get(writer));
        told = all;
    }

    /** Whether it is code, which may look at memory in a loop; steps of scenario files say how they wait. */
    boolean mayLoop() {
        return source.get().isEmpty();
    }

    /** How far it is. */
    long now() {
        return clock.get(component);
    }

    /** How far a program was when it did something. */
    record Moment(ProgramClock program, long epoch) {

        /** Whether who knows that much knows that the program came so far. */
        boolean isKnownTo(VectorClock known) {
            return known.get(program.component) >= epoch;
        }
    }

    /** Begins a moment, of which only clocks know that learn of the program from now on. */
    Moment newMoment() {
        tick();
        return new Moment(this, now());
    }

    /** What it does from now on is later than what others know of it. */
    void tick() {
        clock.advance(component, now() + 1);
    }
}
