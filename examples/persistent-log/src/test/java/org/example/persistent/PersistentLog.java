// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.persistent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;

/** A writer that appends an entry to a log in the persistent memory of a store, whose power fails. */
final class PersistentLog {

    private static final int MARK = 0, ENTRY = 8, LOG_BYTES = 16;
    private static final long ENTRY_VALUE = 1001;

    private PersistentLog() {}

    /** What is between an entry and the mark that counts it. */
    enum Append {
        /** A FLUSH to persistence: right. */
        FLUSHED,
        /** The order of requests: the planted mistake, since the order in which bytes become visible is not that in which they last. */
        ORDERED
    }

    static void run(Simulation simulation, Append how) {
        MemorySystem system = simulation.memorySystem("store", Platform.PMEM_DDIO);
        Memory memory = system.put(Memory.allocate(LOG_BYTES), system.persistent("pm"));
        RcPair rc = RcPair.connect(simulation.open("writer"), simulation.open("store"));
        MemoryRegion log = rc.right()
                .pd()
                .register(
                        memory,
                        AccessFlags.LOCAL_WRITE
                                | AccessFlags.REMOTE_WRITE
                                | AccessFlags.REMOTE_ATOMIC
                                | AccessFlags.FLUSH_PERSISTENT);
        simulation.node("writer", node -> append(rc.left(), log, how));
        simulation.node("store", node -> {
            node.powerFails();
            if (memory.buffer().getLong(MARK) == 1) {
                assertEquals(ENTRY_VALUE, memory.buffer().getLong(ENTRY), "the entry that the mark counts");
            }
        });
    }

    private static void append(RcPeer writer, MemoryRegion log, Append how) {
        writer.memory().buffer().putLong(ENTRY, ENTRY_VALUE).putLong(MARK, 1);
        writer.qp().postSend(SendWorkRequest.write(1, log.address() + ENTRY, log.rkey(), writer.sge(ENTRY, 8)));
        if (how == Append.FLUSHED) {
            FlushTarget entry = new FlushTarget(FlushTarget.PERSISTENT, FlushTarget.RANGE, 8);
            writer.qp().postSend(SendWorkRequest.flush(2, log.address() + ENTRY, log.rkey(), entry));
        }
        writer.qp().postSend(SendWorkRequest.atomicWrite(3, log.address() + MARK, log.rkey(), writer.sge(MARK, 8)));
    }
}
