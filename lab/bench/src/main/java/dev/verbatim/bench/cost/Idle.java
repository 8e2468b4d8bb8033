// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.cost;

import dev.verbatim.Verbatim;
import dev.verbatim.bench.jvm.ManyQps;
import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Makes many connected queue pairs over one link, then many links, and sees what this JVM has to keep for them. */
public final class Idle {

    private static final double NANOS_PER_MICRO = 1e3;
    private static final int SOME = 10;
    private static final double GOAL_BYTES = 4096;

    private final PassiveJvm jvm;
    private final SocketTransport transport;

    public Idle(PassiveJvm jvm, SocketTransport transport) {
        this.jvm = jvm;
        this.transport = transport;
    }

    public List<Cost> measure(int queuePairs, int links) {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        try (Verbatim rdma = Verbatim.over(fabric)) {
            Device device = rdma.open("active");
            // A few of each first, so that classes are loaded and buffers of the collector have their size.
            Gid peer = dial(fabric, jvm.listen(1, transport)).get(0);
            connect(device, peer, SOME);
            List<Cost> costs = new ArrayList<>();
            MemoryFootprint atFirst = MemoryFootprint.now();
            long startNanos = System.nanoTime();
            connect(device, peer, queuePairs);
            long connectedNanos = System.nanoTime();
            MemoryFootprint withQueuePairs = MemoryFootprint.now();
            costs.add(each("queue pair: create and connect both ends", connectedNanos - startNanos, queuePairs));
            costs.addAll(withQueuePairs.since(atFirst, "queue pair", queuePairs));
            costs.add(new Cost(
                    "queue pair: heap and direct memory",
                    "B",
                    List.of(withQueuePairs.bytesSince(atFirst) / queuePairs),
                    GOAL_BYTES));
            List<Integer> ports = jvm.listen(links, transport);
            startNanos = System.nanoTime();
            dial(fabric, ports);
            long dialledNanos = System.nanoTime();
            MemoryFootprint withLinks = MemoryFootprint.now();
            costs.add(each("link: dial", dialledNanos - startNanos, links));
            costs.addAll(withLinks.since(withQueuePairs, "link", links));
            return costs;
        } finally {
            jvm.closeListeners();
        }
    }

    /** They stay with the device. */
    private void connect(Device device, Gid peer, int count) {
        ManyQps manyQps = new ManyQps(device, count);
        manyQps.connect(peer, jvm.manyQps(manyQps.gid(), manyQps.numbers()));
    }

    private static List<Gid> dial(NettyFabric fabric, List<Integer> ports) {
        return ports.stream()
                .map(port -> fabric.dial(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                .toList();
    }

    private static Cost each(String part, long nanos, int count) {
        return new Cost(part, "us", List.of(nanos / NANOS_PER_MICRO / count));
    }
}
