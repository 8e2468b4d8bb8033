// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.Verbatim;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;

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
        PassiveSide passive = new PassiveSide(rdma.open("passive"), regionBytes);
        passive.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
        active.connect(passive.endpoint());
        return new MeasuredPair(rdma, active, passive);
    }

    /** The passive device in another JVM. */
    public static MeasuredPair tcp(
            PassiveJvm jvm, boolean spinning, SocketTransport transport, int regionBytes, int depth) {
        NettyOptions options = NettyOptions.defaults().withTransport(transport).withSpinning(spinning);
        NettyFabric fabric = NettyFabric.open(options);
        Verbatim rdma = Verbatim.over(fabric);
        try {
            ActiveSide active = new ActiveSide(rdma.open("active"), !spinning, regionBytes, depth);
            PassiveJvm.Node node = jvm.open(spinning, transport, regionBytes);
            fabric.dial(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
            node.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
            active.connect(node.endpoint());
            return new MeasuredPair(rdma, active, node);
        } catch (RuntimeException e) {
            rdma.close();
            throw e;
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
