// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.files;

import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;

/** Nobody ever reads a file by the key of another. */
class FileServerTest {

    @SimulatedTest(seeds = 200)
    void clientsReadWhatTheyWereGiven(Simulation simulation) {
        Run.of(simulation, FileServer.Reuse.WHEN_REVOKED);
    }
}
