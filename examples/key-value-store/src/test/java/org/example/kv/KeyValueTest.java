// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;
import org.example.kv.KeyValueClient.Reads;

/** Three READs for a get: no client ever sees half a value. */
class KeyValueTest {

    @SimulatedTest(seeds = 200)
    void valuesAreWhole(Simulation simulation) {
        Run.of(simulation, Reads.THREE);
    }
}
