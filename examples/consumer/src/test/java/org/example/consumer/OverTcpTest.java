// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.junit.OnFabric;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ordinary tests of JUnit with devices of their own; what one leaves open, or fails to poll, fails it. */
class OverTcpTest {

    @Test
    @OnFabric("tcp")
    void writeArrives(Verbatim near, Verbatim far) {
        try (RcPair rc = RcPair.connect(near.open("left"), far.open("right"))) {
            rc.left().memory().buffer().putLong(0, 42);
            rc.left().qp().postSend(rc.left().write(1, 0, 8, rc.right()));
            WorkCompletion done = rc.left().sent().awaitCompletion(Duration.ofSeconds(10));
            assertTrue(done.isSuccess(), done::explanation);
            assertEquals(42, rc.right().memory().buffer().getLong(0));
        }
    }

    @Test
    @OnFabric
    void writeArrivesWithinTheJvm(Verbatim rdma) {
        writeArrives(rdma, rdma);
    }
}
