// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.Simulation;
import java.time.Duration;

/**
 * A leader that writes the entries of a log into a ring in the memory of a follower. Each entry is a WRITE with immediate, whose completion
 * tells the follower that it is there. The follower answers each entry that it has read by an empty SEND: a credit for its slot.
 */
final class ReplicatedLog {

    private static final int SLOTS = 2, ENTRIES = 5, ENTRY_BYTES = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private ReplicatedLog() {}

    /** When the leader takes a slot for free. */
    enum FreeSlot {
        /** When the follower says that it has read the entry: right. */
        BY_CREDIT,
        /** When the entry's own WRITE has completed, so is in the follower's memory: the planted mistake, since nobody has read it yet. */
        BY_COMPLETION
    }

    static void run(Simulation simulation, FreeSlot rule) {
        RcPair rc = RcPair.connect(simulation.open("leader"), simulation.open("follower"));
        for (int i = 0; i < ENTRIES; i++) {
            rc.right().qp().postRecv(rc.right().receive(i, 0, 0));
            rc.left().qp().postRecv(rc.left().receive(i, 0, 0));
        }
        simulation.node("leader", node -> lead(node, rc.left(), rc.right(), rule));
        simulation.node("follower", node -> follow(node, rc.right(), rc.left()));
    }

    private static void lead(Node node, RcPeer leader, RcPeer follower, FreeSlot rule) {
        for (int i = 0; i < ENTRIES; i++) {
            if (rule == FreeSlot.BY_CREDIT && i >= SLOTS) {
                assertTrue(leader.received().awaitCompletion(PATIENCE).isSuccess());
            }
            int slot = i % SLOTS * ENTRY_BYTES;
            node.store(leader.memory(), slot, entry(i));
            leader.qp().postSend(leader.writeWithImmediate(i, i, slot, ENTRY_BYTES, follower));
            assertTrue(leader.sent().awaitCompletion(PATIENCE).isSuccess());
        }
    }

    private static void follow(Node node, RcPeer follower, RcPeer leader) {
        for (int i = 0; i < ENTRIES; i++) {
            assertTrue(follower.received().awaitCompletion(PATIENCE).isSuccess());
            assertEquals(entry(i), node.load(follower.memory(), i % SLOTS * ENTRY_BYTES), "entry " + i);
            follower.qp().postSend(follower.send(i, 0, 0));
            assertTrue(follower.sent().awaitCompletion(PATIENCE).isSuccess());
        }
    }

    private static long entry(int number) {
        return 1000 + number;
    }
}
