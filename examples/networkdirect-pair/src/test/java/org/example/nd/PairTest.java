// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.nd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbatim.Verbatim;
import dev.verbatim.junit.OnFabric;
import org.junit.jupiter.api.Test;

/** The pair within one JVM, and over TCP. */
class PairTest {

    @Test
    @OnFabric("in-process")
    void greetsWithinTheJvm(Verbatim rdma) {
        assertEquals("written through a window", Pair.greeting(rdma.open("client"), rdma.open("server")));
    }

    @Test
    @OnFabric("tcp")
    void greetsOverTcp(Verbatim near, Verbatim far) {
        assertEquals("written through a window", Pair.greeting(near.open("client"), far.open("server")));
    }
}
