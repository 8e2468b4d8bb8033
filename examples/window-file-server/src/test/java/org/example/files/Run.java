// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A client that READs as long as it likes: it gets the file that it was given, or an error, and never the next file. */
final class Run {
    private static final long GIVEN = 1, SECRET = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private Run() {}

    static void of(Simulation simulation, FileServer.Reuse reuse) {
        RcPair rc = RcPair.connect(simulation.open("client"), simulation.open("server"));
        RcPeer client = rc.left();
        client.qp().postRecv(client.receive(1, 0, 12));
        FileServer server = new FileServer(rc.right());
        simulation.node("server", node -> {
            server.load(node, GIVEN);
            server.grant();
            server.revoke(reuse);
            server.load(node, SECRET);
        });
        simulation.node("client", node -> {
            assertTrue(client.received().awaitCompletion(PATIENCE).isSuccess());
            ByteBuffer memory = client.memory().buffer();
            client.qp().postSend(SendWorkRequest.read(2, memory.getLong(0), memory.getInt(8), client.sge(16, FileServer.FILE_BYTES)));
            WorkCompletion read = client.sent().awaitCompletion(PATIENCE);
            if (read.isSuccess()) {
                for (int at = 0; at < FileServer.FILE_BYTES; at += 8) {
                    assertEquals(GIVEN, memory.getLong(16 + at), "a word of a file that this client was not given");
                }
            } else {
                assertEquals(WcStatus.REM_ACCESS_ERR, read.status(), read::explanation);
            }
        });
    }
}
