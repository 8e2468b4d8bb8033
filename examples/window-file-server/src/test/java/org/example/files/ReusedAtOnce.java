// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.files;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** The planted mistake. It fails, as it should; so it is not named as tests are that have to pass. */
class ReusedAtOnce {

    @SimulatedTest(seeds = 200)
    void clientsReadWhatTheyWereGiven(Simulation simulation) {
        Run.of(simulation, FileServer.Reuse.WHEN_POSTED);
    }
}
