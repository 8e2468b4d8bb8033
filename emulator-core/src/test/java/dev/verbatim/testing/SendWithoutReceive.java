// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;

/** A simulated run whose one SEND finds no receive, so it is refused and sent again for five seconds. */
public final class SendWithoutReceive {

    private SendWithoutReceive() {}

    /** Runs it; the tap sees all events. */
    public static void run(Tap tap) {
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL)) {
            simulation.tap(tap);
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            simulation.node("one", node -> {
                rc.left()
                        .qp()
                        .postSend(SendWorkRequest.send(1, rc.left().region().sge(0, 8)));
                assertThatThrownBy(() -> rc.left().sent().awaitCompletion(Duration.ofSeconds(5)))
                        .hasMessageContaining("no receive at qp");
            });
            simulation.run();
        }
    }
}
