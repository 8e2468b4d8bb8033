// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the nodes of a run share besides the network: what they tell each other, and what went wrong. Any thread. */
public final class Board {

    /** What surrounds the nodes of a run: the ways between them, and who wants to know what programs do. */
    public interface World {

        /** Loses everything between the two. */
        void cut(Gid a, Gid b);

        /** Ends that. */
        void heal(Gid a, Gid b);

        /**
         * The program of a node loaded or stored bytes.
         *
         * @param address of the memory
         */
        void touched(String node, boolean store, long address, ByteBuffer data);

        /** A program changed, or looked at, what only programs share. */
        void shared(String object, boolean changed);
    }

    private static final String SIGNAL = "signal ";

    private final World world;
    private final Map<String, Workbench> benches = new TreeMap<>();
    private final Set<String> told = new TreeSet<>();
    private final List<Failure> failures = new ArrayList<>();

    /** A blank board. */
    public Board(World world) {
        this.world = world;
    }

    synchronized void add(Workbench bench) {
        benches.put(bench.name(), bench);
    }

    /** The things of a node. */
    public synchronized Workbench bench(String node) {
        Workbench bench = benches.get(node);
        if (bench == null) {
            throw new IllegalArgumentException(
                    "node=" + node + " is not part of the run; see that the scenario has it");
        }
        return bench;
    }

    World world() {
        return world;
    }

    synchronized void tell(String signal) {
        world.shared(SIGNAL + signal, true);
        told.add(signal);
    }

    /** The program has seen that it was told. */
    void heard(String signal) {
        world.shared(SIGNAL + signal, false);
    }

    synchronized boolean isTold(String signal) {
        return told.contains(signal);
    }

    /** Notes that something was not as it should be. */
    public synchronized void add(Failure failure) {
        failures.add(failure);
    }

    /** What was not as it should be, in the order in which it was noticed. */
    public synchronized List<Failure> failures() {
        return List.copyOf(failures);
    }
}
