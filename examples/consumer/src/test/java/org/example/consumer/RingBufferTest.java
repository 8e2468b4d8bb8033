// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcPair;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;
import java.time.Duration;

/** What the example of the README becomes when it relies on what is promised: the completion of a WRITE with immediate. */
class RingBufferTest {

    @SimulatedTest
    void completionSaysThatTheEntryIsThere(Simulation simulation) {
        RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
        rc.left().memory().buffer().putLong(0, 42);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 0));
        simulation.node(
                "producer", node -> rc.left().qp().postSend(rc.left().writeWithImmediate(2, 0, 0, 8, rc.right())));
        simulation.node("consumer", node -> {
            rc.right().received().awaitCompletion(Duration.ofSeconds(1));
            assertEquals(42, node.load(rc.right().memory(), 0));
        });
    }

    @SimulatedTest(exhaustive = true)
    void completionSaysSoInEveryRun(Simulation simulation) {
        completionSaysThatTheEntryIsThere(simulation);
    }
}
