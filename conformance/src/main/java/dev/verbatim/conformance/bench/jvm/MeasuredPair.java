// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.Verbatim;
import dev.verbatim.conformance.bench.plan.BenchFailure;
import dev.verbatim.conformance.bench.plan.RoceAddresses;
import dev.verbatim.conformance.bench.plan.Setting;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Two connected sides to measure between; the thread that opens it measures and closes it. */
public final class MeasuredPair implements AutoCloseable {

    private final Verbatim rdma;
    private final ActiveSide active;
    private final Remote remote;

    private MeasuredPair(Verbatim rdma, ActiveSide active, Remote remote) {
        this.rdma = rdma;
        this.active = active;
        this.remote = remote;
    }

    /** Both devices in this JVM. */
    public static MeasuredPair inProcess(int regionBytes, int depth) {
        Verbatim rdma = Verbatim.inProcess();
        ActiveSide active = new ActiveSide(rdma.open("active"), false, regionBytes, depth);
        PassiveSide passive = new PassiveSide(rdma.open("passive"), regionBytes, depth);
        passive.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
        active.connect(passive.endpoint());
        return new MeasuredPair(rdma, active, passive);
    }

    /** The passive device in another JVM. */
    public static MeasuredPair remote(
            PassiveJvm jvm,
            Setting setting,
            SocketTransport transport,
            RoceAddresses roce,
            int regionBytes,
            int depth) {
        Fabric fabric = fabric(setting, transport, address(roce.active()));
        Verbatim rdma = Verbatim.over(fabric);
        try {
            ActiveSide active = new ActiveSide(rdma.open("active"), !setting.isSpinning(), regionBytes, depth);
            PassiveJvm.Node node = jvm.open(setting, transport, regionBytes, depth, roce.passive());
            if (fabric instanceof NettyFabric tcp) {
                tcp.dial(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
            }
            node.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
            active.connect(node.endpoint());
            return new MeasuredPair(rdma, active, node);
        } catch (RuntimeException e) {
            rdma.close();
            throw e;
        }
    }

    /** What carries the packets of one side. */
    static Fabric fabric(Setting setting, SocketTransport transport, InetAddress roce) {
        return setting.isTcp()
                ? NettyFabric.open(
                        NettyOptions.defaults().withTransport(transport).withSpinning(setting.isSpinning()))
                : RoceFabric.open(RoceOptions.at(roce)
                        .withTransport(transport)
                        .withPeers(RoceOptions.Peers.VERBATIM)
                        .withIcrc(setting.hasIcrc())
                        .withSpinning(setting.isSpinning()));
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new BenchFailure("--roce: " + text + " cannot be resolved; give addresses of this machine");
        }
    }

    public ActiveSide active() {
        return active;
    }

    public Remote remote() {
        return remote;
    }

    @Override
    public void close() {
        remote.close();
        rdma.close();
    }
}
