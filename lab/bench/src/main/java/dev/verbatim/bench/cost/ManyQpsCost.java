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

/** Connects very many queue pairs with those of the passive JVM over one link, and then lets all of them move data. */
public final class ManyQpsCost {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double GOAL_SECONDS = 20;
    private static final double GOAL_BYTES = 4096;
    private static final int SOME = 10;

    private final PassiveJvm jvm;
    private final SocketTransport transport;
    private final List<Double> setUpSeconds = new ArrayList<>();
    private final List<Double> bytesOfEach = new ArrayList<>();
    private final List<Double> movedSeconds = new ArrayList<>();

    public ManyQpsCost(PassiveJvm jvm, SocketTransport transport) {
        this.jvm = jvm;
        this.transport = transport;
    }

    public List<Cost> measure(int queuePairs, int rounds) {
        for (int i = 0; i < rounds; i++) {
            measureOnce(queuePairs);
        }
        return List.of(
                new Cost(queuePairs + " queue pairs: create and connect both ends", "s", setUpSeconds, GOAL_SECONDS),
                new Cost("each, idle: heap and direct memory", "B", bytesOfEach, GOAL_BYTES),
                new Cost("until each has done a WRITE and a SEND, and all bytes were looked at", "s", movedSeconds));
    }

    private void measureOnce(int queuePairs) {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        try (Verbatim rdma = Verbatim.over(fabric)) {
            Device device = rdma.open("active");
            int port = jvm.listen(1, transport).get(0);
            Gid peer = fabric.dial(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            connect(device, peer, SOME);
            MemoryFootprint atFirst = MemoryFootprint.now();
            long startNanos = System.nanoTime();
            ManyQps manyQps = connect(device, peer, queuePairs);
            setUpSeconds.add(secondsSince(startNanos));
            bytesOfEach.add(MemoryFootprint.now().bytesSince(atFirst) / queuePairs);
            startNanos = System.nanoTime();
            manyQps.sendAll(jvm.receiveAll());
            jvm.checkAll();
            movedSeconds.add(secondsSince(startNanos));
        } finally {
            jvm.closeListeners();
        }
    }

    private ManyQps connect(Device device, Gid peer, int count) {
        ManyQps manyQps = new ManyQps(device, count);
        manyQps.connect(peer, jvm.manyQps(manyQps.gid(), manyQps.numbers()));
        return manyQps;
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }
}
