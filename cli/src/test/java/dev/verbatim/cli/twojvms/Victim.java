// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.transport.netty.ConnectionData;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.transport.netty.OutOfBandListener;
import dev.verbatim.verbs.QpCapabilities;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A process that lets itself be written to until it is killed, or until its standard input ends with its parent. */
public final class Victim {

    private static final int FIRST_PSN = 0;

    private Victim() {}

    /** Prints its port, takes one caller, and answers it no more than a device does. */
    public static void main(String... args) throws IOException {
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        NettyFabric fabric = NettyFabric.open();
        try (Verbatim rdma = Verbatim.over(fabric);
                OutOfBandListener listener = OutOfBandListener.open(anywhere)) {
            Side side = new Side(rdma.open("victim"), QpCapabilities.USUAL);
            System.out.println("port=" + listener.address().getPort());
            Thread connecting = new Thread(() -> connect(listener, fabric.listen(anywhere), side));
            connecting.setDaemon(true);
            connecting.start();
            while (System.in.read() >= 0) {
                // Nobody has anything to say here: the end is what counts.
            }
        }
    }

    private static void connect(OutOfBandListener listener, InetSocketAddress device, Side side) {
        try (OutOfBand line = listener.accept(Await.LIMIT.toNanos())) {
            RcConnection.Endpoint survivor = endpoint(line.receive(Await.LIMIT.toNanos()));
            line.send(line(side, FIRST_PSN).with(ConnectionData.FABRIC_PORT, device.getPort()));
            line.receive(Await.LIMIT.toNanos());
            RcConnection.USUAL.readyToReceive(side.qp, survivor);
            RcConnection.USUAL.readyToSend(side.qp, FIRST_PSN);
            line.send(ConnectionData.empty());
        }
    }

    static ConnectionData line(Side side, int psn) {
        return ConnectionData.empty()
                .with(ConnectionData.GID, side.device.gid())
                .with(ConnectionData.QPN, side.qp.number())
                .with(ConnectionData.PSN, psn)
                .with(ConnectionData.ADDRESS, side.address(0))
                .with(ConnectionData.RKEY, side.rkey());
    }

    static RcConnection.Endpoint endpoint(ConnectionData line) {
        return new RcConnection.Endpoint(line.gid(ConnectionData.GID), (int) line.number(ConnectionData.QPN), (int)
                line.number(ConnectionData.PSN));
    }
}
