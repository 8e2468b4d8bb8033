// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.cost;

import dev.verbatim.Verbatim;
import dev.verbatim.bench.jvm.ConnectionMaker;
import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Connections that come and go between the two JVMs, over one link: how long each takes, one after another and many at a time. */
public final class Connects {

    private static final int MANY = 64;
    private static final int SHARE_ALONE = 4;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double GOAL_MICROS = 1_000;

    private final PassiveJvm jvm;
    private final SocketTransport transport;

    public Connects(PassiveJvm jvm, SocketTransport transport) {
        this.jvm = jvm;
        this.transport = transport;
    }

    public List<Cost> measure(int count, int rounds) {
        List<Double> alone = new ArrayList<>();
        List<Double> many = new ArrayList<>();
        int port = jvm.answer(transport);
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        try (Verbatim rdma = Verbatim.over(fabric);
                ConnectionMaker callers = new ConnectionMaker(
                        rdma.open("caller"), new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            callers.run(count, MANY);
            for (int i = 0; i < rounds; i++) {
                alone.add(microsOfEach(callers, count / SHARE_ALONE, 1));
                many.add(microsOfEach(callers, count, MANY));
            }
        }
        long wanted = count + (long) rounds * (count / SHARE_ALONE + count);
        long established = jvm.closeAnswerer();
        if (established < wanted) {
            throw new BenchFailure(
                    "the passive side saw " + established + " connections of " + wanted + "; this is a defect");
        }
        return List.of(
                new Cost("each, one after another: connect and disconnect, both ends", "us", alone),
                new Cost("each, " + MANY + " at a time", "us", many, GOAL_MICROS));
    }

    private static double microsOfEach(ConnectionMaker callers, int count, int atATime) {
        long startNanos = System.nanoTime();
        callers.run(count, atATime);
        return (System.nanoTime() - startNanos) / NANOS_PER_MICRO / count;
    }
}
