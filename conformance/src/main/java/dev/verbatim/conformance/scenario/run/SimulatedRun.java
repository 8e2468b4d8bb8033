// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a scenario in a {@link Simulation}, taken apart: everything is made, then its programs are played, and then what
 * is left can be looked at before it is closed. Programs end with their devices. On one thread.
 */
public final class SimulatedRun implements AutoCloseable {

    private final Scenario scenario;
    private final SimRunner runner;
    private final PreparedNodes prepared;

    /** Opens all devices, and makes and connects what the scenario says; {@code tap} sees that too. */
    public SimulatedRun(Scenario scenario, Schedule schedule, SimulationOptions options, Tap tap) {
        this.scenario = scenario;
        this.runner = new SimRunner(schedule, options, tap);
        try {
            this.prepared = new PreparedNodes(new ScenarioPlan(scenario, null), runner);
        } catch (RuntimeException | Error e) {
            runner.close();
            throw e;
        }
        for (NodeProgram program : prepared.programs()) {
            program.diesWith(() -> simulation().isGone(program.node().device()));
        }
    }

    /** Lets the programs run until all are done, or nothing happens any more. */
    public ScenarioRun.Result play() {
        prepared.play(runner, ScenarioRun.RunObserver.NONE);
        List<Failure> failures = new ArrayList<>(prepared.failures());
        Outcome outcome = prepared.outcome();
        if (prepared.isDiscarded()) {
            return ScenarioRun.Result.discarded(outcome);
        }
        if (failures.isEmpty()) {
            ScenarioRun.judge(scenario, outcome, failures);
        }
        return new ScenarioRun.Result(outcome, failures);
    }

    /** Where it runs. */
    public Simulation simulation() {
        return runner.simulation();
    }

    /** What each node has whose device did not crash. */
    public List<NodeState> nodes() {
        return prepared.nodes().stream()
                .filter(node -> !simulation().isGone(node.device()))
                .toList();
    }

    @Override
    public void close() {
        runner.close();
    }
}
