// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

// The example of the README that fails, as it should; so it is not named as tests are that have to pass.
// README begins
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcPair;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

class RingBuffer {

    @SimulatedTest
    void flagSaysThatTheEntryIsThere(Simulation simulation) {
        RcPair rc = RcPair.connect(simulation.open("producer"), simulation.open("consumer"));
        rc.left().memory().buffer().putLong(0, 42).putLong(8, 1); // an entry, and its flag
        simulation.node("producer", node -> rc.left().qp().postSend(rc.left().write(1, 0, 16, rc.right())));
        simulation.node("consumer", node -> {
            node.loadUntil(rc.right().memory(), 8, flag -> flag == 1);
            assertEquals(42, node.load(rc.right().memory(), 0));
        });
    }
}
// README ends
