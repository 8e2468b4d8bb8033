// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

// The example of docs/visibility.md that fails, as it should; so it is not named as tests are that have to pass.
// README begins
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcPair;
import dev.verbatim.junit.SimulatedTest;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;
import java.time.Duration;

class ProxyAndKernel {

    @SimulatedTest(exhaustive = true, sanitize = false) // what a run shows, without what a sanitizer says
    void kernelSeesWhatTheHostReceived(Simulation simulation) {
        MemorySystem system = simulation.memorySystem("b", Platform.GPU_TWO_PATHS);
        MemoryDomain gpu0 = system.device("gpu0");
        RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b")); // open(name, profile, system) adds an adapter
        Memory hbm = system.put(Memory.allocate(8), gpu0); // before it is registered
        MemoryRegion region = rc.right().pd().register(hbm, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        rc.left().memory().buffer().putLong(0, 42);
        rc.right().qp().postRecv(rc.right().receive(1, 0, 0));
        simulation.node("a", cpu -> {
            rc.left().qp().postSend(SendWorkRequest.write(1, region.address(), region.rkey(), rc.left().sge(0, 8)));
            rc.left().qp().postSend(rc.left().send(2, 0, 0));
        });
        boolean[] launched = new boolean[1];
        simulation.node("b", cpu -> {
            rc.right().received().awaitCompletion(Duration.ofSeconds(1));
            cpu.launch(gpu0);
            launched[0] = true;
        });
        simulation.kernel(system, gpu0, kernel -> {
            kernel.await(() -> launched[0]);
            assertEquals(42, kernel.load(hbm, 0)); // fails: nothing made the data arrive
        });
    }
}
// README ends
