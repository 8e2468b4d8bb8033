// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;

/** Two connected devices of one simulation, and a second queue pair on each that shares the completion queues. */
final class LitmusPair {

    private static final Duration FOREVER = Duration.ofDays(1);

    final Simulation simulation;
    final Side left;
    final Side right;
    final QueuePair second;

    LitmusPair(Simulation simulation) {
        this.simulation = simulation;
        this.left = new Side(simulation.open("left"), QpCapabilities.USUAL);
        this.right = new Side(simulation.open("right"), QpCapabilities.USUAL);
        this.second = left.newQueuePair();
        RcConnection connection =
                RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(1, 3, 7, 1);
        connection.join(left.qp, right.qp);
        connection.join(second, right.newQueuePair());
    }

    Memory mine() {
        return left.region.memory();
    }

    Memory theirs() {
        return right.region.memory();
    }

    SendWorkRequest write(long id, int to, int lengthBytes) {
        return SendWorkRequest.write(id, right.address(to), right.rkey(), left.sge(0, lengthBytes));
    }

    SendWorkRequest read(long id, int from, int to, int lengthBytes) {
        return SendWorkRequest.read(id, right.address(from), right.rkey(), left.sge(to, lengthBytes));
    }

    WorkCompletion sent() {
        return left.sendCq.awaitCompletion(FOREVER);
    }

    String run() {
        assertThat(simulation.run()).as("all programs came to their end").isTrue();
        return "";
    }
}
