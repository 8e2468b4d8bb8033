// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.log;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** The log with credits: passes with every seed. */
class ReplicatedLogTest {

    @SimulatedTest(seeds = 200)
    void followerReadsEachEntry(Simulation simulation) {
        ReplicatedLog.run(simulation, ReplicatedLog.FreeSlot.BY_CREDIT);
    }
}
