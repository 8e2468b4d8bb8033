// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.step.Failure;
import dev.verbatim.conformance.scenario.step.NodeState;
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
    private final SimStage stage;
    private final Cast cast;

    /** Opens all devices, and makes and connects what the scenario says; {@code tap} sees that too. */
    public SimulatedRun(Scenario scenario, Schedule schedule, SimulationOptions options, Tap tap) {
        this.scenario = scenario;
        this.stage = new SimStage(schedule, options, tap);
        try {
            this.cast = new Cast(scenario, stage, null);
        } catch (RuntimeException | Error e) {
            stage.close();
            throw e;
        }
        for (NodeProgram program : cast.programs()) {
            program.diesWith(() -> simulation().isGone(program.node().device()));
        }
    }

    /** Lets the programs run until all are done, or nothing happens any more. */
    public ScenarioRun.Result play() {
        cast.play(stage);
        List<Failure> failures = new ArrayList<>(cast.failures());
        Outcome outcome = cast.outcome();
        if (failures.isEmpty()) {
            ScenarioRun.judge(scenario, outcome, failures);
        }
        return new ScenarioRun.Result(outcome, failures);
    }

    /** Where it runs. */
    public Simulation simulation() {
        return stage.simulation();
    }

    /** What each node has whose device did not crash. */
    public List<NodeState> nodes() {
        return cast.nodes().stream()
                .filter(node -> !simulation().isGone(node.device()))
                .toList();
    }

    @Override
    public void close() {
        stage.close();
    }
}
