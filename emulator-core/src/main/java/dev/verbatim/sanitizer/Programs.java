// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The programs, and what each knows of the others and of requests. With the sanitizer's lock held. */
final class Programs {

    private final boolean hasSites;

    /** Where the calling thread is in a program that is not Java; null for Java. */
    private final @Nullable Supplier<? extends @Nullable Object> places;

    /** All threads of a program that is not Java; null for Java. */
    private final @Nullable ProgramClock process;

    private final Map<String, ProgramClock> named = new LinkedHashMap<>();
    private final IdentityHashMap<Thread, ProgramClock> threads = new IdentityHashMap<>();

    /** What was known when each object was released: a program that acquires it knows this. */
    private final IdentityHashMap<Object, VectorClock> released = new IdentityHashMap<>();

    private @Nullable Thread lastCaller;
    private @Nullable ProgramClock lastProgram;
    private int components;
    private @Nullable ProgramClock turn;

    Programs(boolean hasSites, @Nullable Supplier<? extends @Nullable Object> places) {
        this.hasSites = hasSites;
        this.places = places;
        this.process = places == null ? null : new ProgramClock("of the process", newComponents(1));
    }

    /** Whether it is one program, in another language than Java. */
    boolean isProcess() {
        return process != null;
    }

    boolean hasSites() {
        return hasSites;
    }

    /** So many components more, of a queue pair; the first. */
    int newComponents(int count) {
        int first = components;
        components += count;
        return first;
    }

    /** In a simulation: this program acts from now on. A new one begins with what the one before it knows. */
    void turn(String program, Supplier<String> source) {
        ProgramClock next = named.get(program);
        if (next == null) {
            next = new ProgramClock(program, newComponents(1));
            ProgramClock opener =
                    named.isEmpty() ? null : named.values().iterator().next();
            if (opener != null) {
                next.learns(opener.clock);
                opener.tick();
            }
            named.put(program, next);
        }
        next.source = source;
        turn = next;
    }

    /** Whether programs are threads, whose own synchronisation is not seen. */
    boolean areThreads() {
        return turn == null;
    }

    /** Whether it is the one that opened the simulation and filled its memory before programs began. */
    boolean isOpener(ProgramClock program) {
        return !named.isEmpty() && named.values().iterator().next().equals(program);
    }

    /** Who calls. */
    ProgramClock current() {
        ProgramClock simulated = turn;
        if (simulated != null) {
            return simulated;
        }
        if (process != null) {
            return process;
        }
        Thread caller = Thread.currentThread();
        if (lastProgram == null || !caller.equals(lastCaller)) {
            lastProgram =
                    threads.computeIfAbsent(caller, thread -> new ProgramClock(thread.getName(), newComponents(1)));
            lastCaller = caller;
        }
        return lastProgram;
    }

    /** Where the program is; unknown if that is not wanted. */
    CallSite site(ProgramClock program) {
        if (places != null) {
            CallSite here = CallSite.of(places.get());
            program.last = here.isEmpty() ? program.last : here;
            return here;
        }
        if (!program.posting.isEmpty()) {
            return program.posting;
        }
        String step = program.source.get();
        return !step.isEmpty() || !hasSites ? CallSite.named(step) : CallSite.ofCaller();
    }

    /** A program that is not Java calls a verb; what it does to memory from now on happens behind this place. */
    void arrives(ProgramClock program) {
        if (places != null) {
            CallSite unused = site(program);
        }
    }

    /** The program has seen what the others did so far, requests of theirs not included. */
    void awaited(ProgramClock program) {
        program.deeds++;
        program.tidings++;
        named.values().forEach(other -> heard(program, other));
        threads.values().forEach(other -> heard(program, other));
    }

    private static void heard(ProgramClock program, ProgramClock other) {
        if (!other.equals(program)) {
            program.learns(other.clock);
            other.tick();
        }
    }

    void released(Object object) {
        ProgramClock program = current();
        program.deeds++;
        released.computeIfAbsent(identity(object), fresh -> new VectorClock()).join(program.clock);
        program.tick();
    }

    /** Names are what they say, other objects are themselves. */
    private static Object identity(Object object) {
        return object instanceof String name ? name.intern() : object;
    }

    void acquired(Object object) {
        VectorClock known = released.get(identity(object));
        if (known != null) {
            current().learns(known);
        }
    }
}
