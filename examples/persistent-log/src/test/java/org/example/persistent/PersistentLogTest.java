// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.persistent;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** The log with a FLUSH: passes in every run. */
class PersistentLogTest {

    @SimulatedTest(exhaustive = true)
    void entryThatTheMarkCountsIsThere(Simulation simulation) {
        PersistentLog.run(simulation, PersistentLog.Append.FLUSHED);
    }
}
