// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import java.util.ArrayList;
import java.util.List;

/** Runs a {@link SmallPlan}. The outcome is what its programs saw, and what is in memory. */
record SmallProgram(SmallPlan plan) implements Exploration.Program {

    private static final long LONG_NANOS = 1_000_000;
    private static final int QUEUE_KEY = 7;
    private static final QpCapabilities SIZES = new QpCapabilities(8, 8, 1, 1, 8);

    @Override
    public String run(Schedule schedule) {
        LinkFaults faults = LinkFaults.NONE.delaying(0, LONG_NANOS).cutting(0, LONG_NANOS);
        for (ChoicePoint point : plan.freedom().points()) {
            if (point.kind() == ChoicePoint.Kind.FAULT) {
                faults = faults.with(point, 1);
            }
        }
        SimulationOptions options = SimulationOptions.TIMELESS.faults(faults).mostEvents(5_000);
        try (Simulation simulation = new Simulation(schedule, options)) {
            List<SmallActor> actors = new ArrayList<>();
            for (int i = 0; i < plan.nodes(); i++) {
                actors.add(new SmallActor(simulation, "" + (char) ('a' + i), plan, i));
            }
            // All are connected with b, which is in the middle.
            SmallActor b = actors.get(1);
            for (SmallActor other : actors) {
                for (int i = 0; other != b && i < plan.pairs(); i++) {
                    connect(other, b);
                }
            }
            actors.forEach(SmallActor::prepare);
            actors.forEach(simulation::add);
            boolean done = simulation.run();
            StringBuilder outcome = new StringBuilder();
            actors.forEach(actor -> outcome.append(actor.outcome()).append(' '));
            return outcome.append(done).toString();
        }
    }

    private void connect(SmallActor one, SmallActor other) {
        SmallActor.Pair left = one.newPair(other, attributes(one));
        SmallActor.Pair right = other.newPair(one, attributes(other));
        left.joins(right);
        if (plan.datagrams()) {
            new UdReadiness(QUEUE_KEY).prepare(left.qp(), right.qp());
        } else {
            RcConnection.USUAL.retries(1, 1, 1, 1).join(left.qp(), right.qp());
        }
    }

    private QpInitAttributes attributes(SmallActor actor) {
        QpInitAttributes own = plan.datagrams()
                ? QpInitAttributes.ud(actor.cq(), actor.cq(), SIZES)
                : QpInitAttributes.rc(actor.cq(), actor.cq(), SIZES);
        return actor.withSharedReceives(own);
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}
