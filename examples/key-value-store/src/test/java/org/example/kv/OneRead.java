// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;
import org.example.kv.KeyValueClient.Reads;

/** The planted mistake. It fails, as it should; so it is not named as tests are that have to pass. */
class OneRead {

    @SimulatedTest(seeds = 200)
    void valuesAreWhole(Simulation simulation) {
        Run.of(simulation, Reads.ONE);
    }
}
