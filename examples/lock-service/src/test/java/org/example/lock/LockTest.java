// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.lock;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** No increment is ever lost. */
class LockTest {

    @SimulatedTest(seeds = 200)
    void incrementsAreKept(Simulation simulation) {
        Clients.run(simulation, Lock.Release.BY_ATOMIC);
    }
}
