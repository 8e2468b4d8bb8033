// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.cost;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.bench.jvm.ActiveSide;
import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.jvm.PassiveSide;
import dev.verbatim.bench.jvm.QpSettings;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.transport.netty.ConnectionData;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.transport.netty.OutOfBandListener;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A fresh JVM whose first WRITE is timed, or the one that it writes to. */
final class StartupMain {

    static final String ACTIVE = "active";
    static final String PASSIVE = "passive";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int REGION_BYTES = 4096;
    private static final int WORD_BYTES = 8;

    private StartupMain() {}

    /** The active one: {@code active TRANSPORT PORT MICROS-WHEN-STARTED}; the passive one: {@code passive TRANSPORT}. */
    public static void main(String... args) throws IOException {
        long startedMicros = Startup.microsNow();
        SocketTransport transport = SocketTransport.valueOf(args[1]);
        if (args[0].equals(ACTIVE)) {
            active(transport, Integer.parseInt(args[2]), startedMicros - Long.parseLong(args[3]));
        } else {
            passive(transport);
        }
    }

    private static void passive(SocketTransport transport) throws IOException {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        try (Verbatim rdma = Verbatim.over(fabric);
                OutOfBandListener listener = OutOfBandListener.open(loopback(0))) {
            PassiveSide side = new PassiveSide(rdma.open(PASSIVE), REGION_BYTES, 1);
            int port = fabric.listen(loopback(0)).getPort();
            System.out.println(OrderedJvm.OK + " " + listener.address().getPort());
            try (OutOfBand call = listener.accept(PATIENCE_NANOS)) {
                ConnectionData peer = call.exchange(
                        toLine(side.endpoint())
                                .with(ConnectionData.FABRIC_PORT, port)
                                .with(ConnectionData.ADDRESS, side.address())
                                .with(ConnectionData.RKEY, side.rkey()),
                        PATIENCE_NANOS);
                side.connect(ofLine(peer));
                call.send(ConnectionData.empty());
                // Until it is ended.
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private static void active(SocketTransport transport, int port, long startMicros) {
        long startNanos = System.nanoTime();
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        try (Verbatim rdma = Verbatim.over(fabric)) {
            ActiveSide side = new ActiveSide(rdma.open(ACTIVE), true, REGION_BYTES, 1);
            long openedNanos = System.nanoTime();
            try (OutOfBand call = OutOfBand.connect(loopback(port), PATIENCE_NANOS)) {
                ConnectionData peer = call.receive(PATIENCE_NANOS);
                fabric.dial(loopback((int) peer.number(ConnectionData.FABRIC_PORT)));
                call.exchange(toLine(RcConnection.Endpoint.of(side.qp(), QpSettings.FIRST_PSN)), PATIENCE_NANOS);
                side.connect(ofLine(peer));
                long connectedNanos = System.nanoTime();
                SendWorkRequest write = SendWorkRequest.write(
                        1,
                        peer.number(ConnectionData.ADDRESS),
                        (int) peer.number(ConnectionData.RKEY),
                        side.region().sge(0, WORD_BYTES));
                side.oneByOne(write, 1, Series.newHistogram());
                long writtenNanos = System.nanoTime();
                System.out.println(OrderedJvm.OK + " " + startMicros + " " + micros(openedNanos - startNanos) + " "
                        + micros(connectedNanos - openedNanos) + " " + micros(writtenNanos - connectedNanos));
            }
        }
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }

    private static ConnectionData toLine(RcConnection.Endpoint mine) {
        return ConnectionData.empty()
                .with(ConnectionData.GID, mine.gid())
                .with(ConnectionData.QPN, mine.qpNumber())
                .with(ConnectionData.PSN, mine.psn());
    }

    private static RcConnection.Endpoint ofLine(ConnectionData peer) {
        return new RcConnection.Endpoint(peer.gid(ConnectionData.GID), (int) peer.number(ConnectionData.QPN), (int)
                peer.number(ConnectionData.PSN));
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
