// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import org.example.lock.Lock.Release;

/** Clients that each add to the counter under the lock. */
final class Clients {
    private static final int CLIENTS = 2, INCREMENTS = 2;

    private Clients() {}

    static void run(Simulation simulation, Release release) {
        Device device = simulation.open("server");
        ProtectionDomain pd = device.allocatePd();
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
        MemoryRegion words = pd.register(Memory.allocate(16), access);
        for (int i = 1; i <= CLIENTS; i++) {
            RcPeer client = RcPeer.open(simulation.open("client " + i));
            RcConnection.connect(client.qp(), pd.createQp(QpInitAttributes.rc(device.createCq(4))));
            Lock lock = new Lock(client, words.address(), words.rkey(), i);
            simulation.node("client " + i, node -> {
                for (int k = 0; k < INCREMENTS; k++) {
                    lock.acquire();
                    lock.incrementAndRelease(release);
                }
            });
        }
        simulation.run();
        assertEquals(CLIENTS * INCREMENTS, words.memory().buffer().getLong(Lock.COUNTER));
    }
}
