// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.persistent;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** The log with the planted mistake. It fails, as it should; so it is not named as tests are that have to pass. */
class WithoutFlush {

    @SimulatedTest(seeds = 200)
    void entryThatTheMarkCountsIsThere(Simulation simulation) {
        PersistentLog.run(simulation, PersistentLog.Append.ORDERED);
    }
}
