// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.BurstTraffic;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Carrying packets makes no objects over sockets of the JDK; Netty makes some for each datagram over epoll. */
@Timeout(600)
class RoceAllocationTest {

    private static final int BURSTS = 1_000;

    @ParameterizedTest
    @CsvSource({"NIO, 1, 1", "NIO, 32, 1", "EPOLL, 32, 256"})
    void packetAllocatesNoMoreThan(SocketTransport transport, int packetsOfABurst, int bytes) {
        InetAddress one = LoopbackAddress.of(81);
        InetAddress other = LoopbackAddress.of(82);
        try (BurstTraffic traffic = new BurstTraffic(BURSTS, packetsOfABurst);
                RoceFabric fabric = RoceFabric.open(
                        RoceOptions.at(one, other).withTransport(transport).withPeers(RoceOptions.Peers.VERBATIM))) {
            fabric.attach(Gid.of(one), traffic.sink());
            FabricPort client = fabric.attach(Gid.of(other), (link, packet) -> {});
            AtomicReference<Link> link = new AtomicReference<>();
            client.lane().call(() -> link.set(client.linkTo(Gid.of(one))));
            long enough = (long) traffic.packets() * bytes;
            long fewest = traffic.fewestBytes(client, link.get(), "verbatim-roce", 1, enough);
            System.out.printf(
                    "%s: %.2f bytes allocated for each packet%n", transport, (double) fewest / traffic.packets());
            assertThat(fewest)
                    .as("bytes allocated for %d packets", traffic.packets())
                    .isLessThan(enough);
        }
    }
}
