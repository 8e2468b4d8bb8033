// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.SmallPlan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a {@link SmallPlan}. The outcome is what its programs saw, and what is in memory. */
record SmallProgram(SmallPlan plan) implements Exploration.Program {

    private static final long LONG_NANOS = 1_000_000;
    private static final int TWIN_ID = 50;

    @Override
    public String run(Schedule schedule) {
        LinkFaults faults = LinkFaults.NONE.delaying(0, LONG_NANOS).cutting(0, LONG_NANOS);
        for (ChoicePoint point : plan.openChoices().points()) {
            if (point.kind() == ChoicePoint.Kind.FAULT) {
                faults = faults.with(point, 1);
            }
        }
        SimulationOptions options =
                SimulationOptions.TIMELESS.withFaults(faults).withMostEvents(5_000);
        try (Simulation simulation = new Simulation(schedule, options)) {
            List<SmallNode> nodes = nodes(simulation);
            List<SmallActor> actors = actors(nodes);
            actors.forEach(simulation::add);
            boolean done = simulation.run();
            StringBuilder outcome = new StringBuilder();
            actors.forEach(actor -> outcome.append(actor.outcome()).append(' '));
            nodes.forEach(node -> outcome.append(node.words()));
            return outcome.append(' ').append(done).toString();
        }
    }

    /** All are connected with b, which is in the middle. */
    private List<SmallNode> nodes(Simulation simulation) {
        List<SmallNode> nodes = new ArrayList<>();
        for (int i = 0; i < plan.programs().size(); i++) {
            nodes.add(new SmallNode(simulation, "" + (char) ('a' + i), plan, i));
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (int pair = 0; i != 1 && pair < plan.pairs(); pair++) {
                nodes.get(i).connect(nodes.get(1));
            }
        }
        nodes.forEach(SmallNode::prepare);
        return nodes;
    }

    private List<SmallActor> actors(List<SmallNode> nodes) {
        List<SmallActor> actors = new ArrayList<>();
        for (SmallNode node : nodes) {
            List<Step> steps = plan.programs().get(node.index);
            String name = node.device.name();
            if (plan.twins()) {
                actors.add(new SmallActor(node, name, everyOther(steps, 0), 0));
                actors.add(new SmallActor(node, name + " twin", everyOther(steps, 1), TWIN_ID));
            } else {
                actors.add(new SmallActor(node, name, steps, 0));
            }
        }
        return actors;
    }

    private static List<Step> everyOther(List<Step> steps, int first) {
        return IntStream.range(0, steps.size())
                .filter(i -> i % 2 == first)
                .mapToObj(steps::get)
                .toList();
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}
