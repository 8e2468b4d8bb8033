// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the nodes of a run share besides the network: what they tell each other, and what went wrong. Any thread. */
public final class Board {

    /** What can be done to the ways between devices. */
    public interface Ways {

        /** Loses everything between the two. */
        void cut(Gid a, Gid b);

        /** Ends that. */
        void heal(Gid a, Gid b);
    }

    private final Ways ways;
    private final Map<String, Workbench> benches = new TreeMap<>();
    private final Set<String> told = new TreeSet<>();
    private final List<Failure> failures = new ArrayList<>();

    /** A blank board. */
    public Board(Ways ways) {
        this.ways = ways;
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

    Ways ways() {
        return ways;
    }

    synchronized void tell(String signal) {
        told.add(signal);
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
