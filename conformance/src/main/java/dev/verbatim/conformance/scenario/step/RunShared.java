// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the nodes of a run share besides the network: signals, and the failures of their steps. Any thread. */
public final class RunShared {

    private static final String SIGNAL = "signal ";

    private final World world;
    private final Set<String> signals = new TreeSet<>();
    private final List<Failure> failures = new ArrayList<>();

    /** Without signals and failures. */
    public RunShared(World world) {
        this.world = world;
    }

    /** What surrounds the nodes. */
    public World world() {
        return world;
    }

    /** Sets a signal for all nodes. */
    synchronized void set(String signal) {
        world.shared(SIGNAL + signal, true);
        signals.add(signal);
    }

    /** The program has seen that the signal is set. */
    void seen(String signal) {
        world.shared(SIGNAL + signal, false);
    }

    synchronized boolean isSet(String signal) {
        return signals.contains(signal);
    }

    /** Reports a failure. */
    public synchronized void add(Failure failure) {
        failures.add(failure);
    }

    /** The failures, in the order in which they were reported. */
    public synchronized List<Failure> failures() {
        return List.copyOf(failures);
    }
}
