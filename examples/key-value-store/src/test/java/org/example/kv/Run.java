// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcConnection;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QueuePair;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.example.kv.KeyValueClient.Reads;
import org.example.kv.KeyValueClient.Value;

/** A client that puts, one that gets meanwhile, and the server: the second word of each value is the first one's opposite. */
final class Run {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int PUTS = 2, GETS = 2, KEY = 5;

    private Run() {}

    static void of(Simulation simulation, Reads reads) {
        ProtectionDomain serving = simulation.open("server").allocatePd();
        ProtectionDomain writing = simulation.open("writer").allocatePd();
        ProtectionDomain reading = simulation.open("reader").allocatePd();
        AtomicReference<Node> cpu = new AtomicReference<>();
        KeyValueServer server = new KeyValueServer(serving, (memory, offset, value) -> cpu.get().store(memory, offset, value));
        KeyValueServer.Connection toWriter = server.open(), toReader = server.open();
        KeyValueClient writer = new KeyValueClient(writing, reads, PATIENCE);
        KeyValueClient reader = new KeyValueClient(reading, reads, PATIENCE);
        QueuePair ofServer = serving.createQp(toWriter.attributes()), ofWriter = writing.createQp(writer.attributes());
        QueuePair ofReader = reading.createQp(reader.attributes());
        RcConnection.connect(ofWriter, ofServer);
        RcConnection.connect(ofReader, serving.createQp(toReader.attributes()));
        toWriter.begin(ofServer);

        simulation.node("server", node -> {
            cpu.set(node);
            for (int i = 0; i < PUTS; i++) {
                toWriter.serve(ofServer, PATIENCE);
            }
        });
        simulation.node("writer", node -> {
            for (int i = 1; i <= PUTS; i++) {
                writer.on(ofWriter, server.greeting()).put(KEY, new Value(i, -i));
            }
        });
        simulation.node("reader", node -> {
            for (int i = 0; i < GETS; i++) {
                reader.on(ofReader, server.greeting())
                        .get(KEY)
                        .ifPresent(value -> assertEquals(-value.first(), value.second(), "a value that nobody has put"));
            }
        });
    }
}
