// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricContract;
import dev.verbatim.sim.Fate;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;

/** Devices of one fabric over UDP: what holds in one JVM holds between them. */
@Timeout(600)
abstract class RoceContract extends FabricContract {

    private static final int MOST_DEVICES = 0xf;
    private static final long LONGEST_WAY_NANOS = 300_000_000;
    private static final int LONGEST_WAY_ROUNDS = 100;

    private final SocketTransport transport;
    private final Set<String> underWay = new HashSet<>();

    RoceContract(SocketTransport transport) {
        this.transport = transport;
    }

    @Override
    protected Gid gid(int number) {
        return Gid.of(LoopbackAddress.of(number));
    }

    @Override
    protected Errno taken() {
        return Errno.EADDRINUSE;
    }

    @Override
    protected Fabric open() {
        return RoceFabric.open(RoceOptions.at(IntStream.rangeClosed(1, MOST_DEVICES)
                        .mapToObj(LoopbackAddress::of)
                        .toArray(InetAddress[]::new))
                .withTransport(transport)
                .withPeers(RoceOptions.Peers.VERBATIM)
                .withFaults((from, to, packet) -> {
                    passes(from + " " + to + " " + packet.psn());
                    return Fate.DELIVER;
                }));
    }

    /** A packet is asked about when it is sent and again when it has come. On the lane. */
    private void passes(String packet) {
        if (!underWay.remove(packet)) {
            underWay.add(packet);
        }
    }

    /** What is under way arrives soon, unless it is for nobody; on a busy machine the loop must have had its rounds. */
    @Override
    protected void settle(Fabric fabric) {
        NettyLane lane = ((RoceFabric) fabric).lane();
        long endNanos = System.nanoTime() + LONGEST_WAY_NANOS;
        AtomicInteger rounds = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        Await.until("nothing under way", () -> {
            rounds.incrementAndGet();
            if (!lane.loop().netty().isShuttingDown()) {
                lane.loop().netty().submit(() -> {}).syncUninterruptibly();
            }
            boolean isLost = rounds.get() >= LONGEST_WAY_ROUNDS && System.nanoTime() - endNanos > 0;
            lane.call(() -> over.set(!lane.hasWork() && (underWay.isEmpty() || isLost)));
            return over.get();
        });
    }
}
