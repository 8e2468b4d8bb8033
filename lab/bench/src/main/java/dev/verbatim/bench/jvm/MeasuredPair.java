// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.Verbatim;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.RoceAddresses;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sanitizer.SanitizerError;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Two connected sides to measure between; the thread that opens it measures and closes it. */
public final class MeasuredPair implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Verbatim> opened;
    private final ActiveSide active;
    private final Remote remote;

    /** What the sanitizer said of the mistake that was made for it; empty before. */
    private List<Finding> planted = List.of();

    private MeasuredPair(List<Verbatim> opened, ActiveSide active, Remote remote) {
        this.opened = opened;
        this.active = active;
        this.remote = remote;
    }

    /**
     * The devices of a setting.
     *
     * @param jvm where the passive device is, if it is not here
     */
    public static MeasuredPair of(
            Setting setting,
            SocketTransport transport,
            Supplier<PassiveJvm> jvm,
            RoceAddresses roce,
            int regionBytes,
            int depth) {
        if (setting.isRemote()) {
            return remote(jvm.get(), setting, transport, roce, regionBytes, depth);
        }
        return setting.isAlternating()
                ? alternating(transport, regionBytes, depth)
                : inProcess(Verbatim.inProcess(), regionBytes, depth);
    }

    /** Both devices in this JVM. */
    static MeasuredPair inProcess(Verbatim rdma, int regionBytes, int depth) {
        letShareBytes(rdma);
        ActiveSide active = new ActiveSide(rdma.open("active"), false, regionBytes, depth);
        PassiveSide passive = new PassiveSide(rdma.open("passive"), regionBytes, depth);
        passive.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
        active.connect(passive.endpoint());
        return new MeasuredPair(List.of(rdma), active, passive);
    }

    /** Both devices in this JVM, each with sockets of its own, both driven by this thread. */
    private static MeasuredPair alternating(SocketTransport transport, int regionBytes, int depth) {
        NettyOptions options = NettyOptions.defaults().withTransport(transport).withSpinning(true);
        NettyFabric near = NettyFabric.open(options);
        NettyFabric far = NettyFabric.open(options);
        List<Verbatim> opened = List.of(Verbatim.over(near), Verbatim.over(far));
        opened.forEach(MeasuredPair::letShareBytes);
        try {
            ActiveSide active = new ActiveSide(opened.get(0).open("active"), false, regionBytes, depth);
            PassiveSide passive = new PassiveSide(opened.get(1).open("passive"), regionBytes, depth);
            InetSocketAddress there = far.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<?> dialled = CompletableFuture.runAsync(() -> near.dial(there));
            long endNanos = System.nanoTime() + PATIENCE.toNanos();
            while (!dialled.isDone() && System.nanoTime() < endNanos) {
                active.progress();
                passive.progress();
            }
            dialled.getNow(null);
            passive.connect(Endpoint.of(active.qp(), QpSettings.FIRST_PSN));
            active.connect(passive.endpoint());
            active.meanwhile(passive::progress);
            return new MeasuredPair(opened, active, passive);
        } catch (RuntimeException e) {
            opened.forEach(Verbatim::close);
            throw e;
        }
    }

    /** The passive device in another JVM. */
    private static MeasuredPair remote(
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
            return new MeasuredPair(List.of(rdma), active, node);
        } catch (RuntimeException e) {
            rdma.close();
            throw e;
        }
    }

    private static void letShareBytes(Verbatim rdma) {
        Sanitizer sanitizer = rdma.sanitizer();
        if (sanitizer != null) {
            sanitizer.silence(Mistake.S3, "all requests of a line name the same bytes");
        }
    }

    /**
     * Where a sanitizer watches both sides, makes a mistake on the measured queue pair and looks whether it is found: else the figures are
     * of a sanitizer that does not work. Once, since the same mistake at the same place is told once.
     */
    public void verifySanitizer() {
        Sanitizer sanitizer = opened.get(0).sanitizer();
        if (sanitizer == null || !planted.isEmpty() || !(remote instanceof PassiveSide passive)) {
            return;
        }
        requireNone(sanitizer.errors());
        active.touchAReceive(passive);
        planted = sanitizer.errors();
        if (planted.stream().noneMatch(finding -> finding.mistake() == Mistake.S2)) {
            throw BenchFailure.defect(
                    "the sanitizer did not find the mistake that was made for it, a receive whose bytes were"
                            + " changed before its message came (S2), but " + planted);
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
        opened.forEach(this::close);
    }

    private void close(Verbatim rdma) {
        try {
            rdma.close();
        } catch (SanitizerError e) {
            requireNone(e.findings().stream()
                    .filter(finding -> !planted.contains(finding))
                    .toList());
        }
    }

    private static void requireNone(List<Finding> errors) {
        if (!errors.isEmpty()) {
            throw BenchFailure.defect("the sanitizer found mistakes of the bench itself: " + errors);
        }
    }
}
