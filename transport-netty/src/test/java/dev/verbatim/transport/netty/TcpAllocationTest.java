// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.Gid;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Carrying packets makes no objects: less than one byte for each, counted over the sender and both loops. */
@LongTest
@Timeout(600)
class TcpAllocationTest {

    private static final int BURSTS = 10_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void packetAllocatesLessThanOneByte(int packetsOfABurst) {
        try (BurstTraffic traffic = new BurstTraffic(BURSTS, packetsOfABurst);
                NettyFabric server = NettyFabric.open();
                Node client = Node.open(2)) {
            server.attach(Gid.ofGuid(1), traffic.sink());
            client.fabric.dial(server.listen(Node.loopback(0)));
            long bytes = traffic.fewestBytes(
                    client.port, client.linkTo(Gid.ofGuid(1)), "verbatim-tcp", 2, traffic.packets());
            assertThat(bytes)
                    .as("bytes allocated for %d packets", traffic.packets())
                    .isLessThan(traffic.packets());
        }
    }
}
