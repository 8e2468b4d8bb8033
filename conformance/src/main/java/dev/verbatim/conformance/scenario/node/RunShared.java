// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the nodes of a run share besides the network: signals, and the failures of their steps. Any thread. */
public final class RunShared {

    private static final String SIGNAL = "signal ";

    private final RunEnvironment environment;
    private final Set<String> signals = new TreeSet<>();
    private final List<Failure> failures = new ArrayList<>();
    private boolean isDiscarded;

    /** Without signals and failures. */
    public RunShared(RunEnvironment environment) {
        this.environment = environment;
    }

    /** What surrounds the nodes. */
    public RunEnvironment environment() {
        return environment;
    }

    /** Sets a signal for all nodes. */
    public synchronized void set(String signal) {
        environment.shared(SIGNAL + signal, true);
        signals.add(signal);
    }

    /** The program has seen that the signal is set. */
    public void seen(String signal) {
        environment.shared(SIGNAL + signal, false);
    }

    public synchronized boolean isSet(String signal) {
        return signals.contains(signal);
    }

    /** How the run ends counts for nothing. */
    public synchronized void discard() {
        isDiscarded = true;
    }

    /** Whether how the run ends counts for nothing, since something that is assumed does not hold. */
    public synchronized boolean isDiscarded() {
        return isDiscarded;
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
