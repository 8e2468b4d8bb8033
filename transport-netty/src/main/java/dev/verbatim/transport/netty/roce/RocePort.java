// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.fabric.carrier.LocalIdentifiers;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Uninterrupted;
import dev.verbatim.transport.netty.roce.link.DropCounters;
import dev.verbatim.transport.netty.roce.link.RoceLinks;
import dev.verbatim.transport.netty.roce.socket.UdpSockets;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One life of a device at one address. */
final class RocePort implements FabricPort {

    private static final long LONGEST_CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final NettyLane lane;
    private final InetAddress local;
    private final int activeMtuBytes;
    private final boolean tellsReasons;
    private final LinkLayer linkLayer;
    private final RoceLinks links;
    private final DropCounters drops = new DropCounters();
    private final UdpSockets sockets;
    private final Consumer<RocePort> whenClosed;
    private volatile boolean open = true;

    RocePort(NettyLane lane, InetAddress local, RoceOptions options, PacketSink sink, Consumer<RocePort> whenClosed) {
        this.whenClosed = whenClosed;
        this.lane = lane;
        this.local = local;
        this.activeMtuBytes = LocalAddress.activeMtuBytes(local);
        this.tellsReasons = options.refusalReasons();
        this.linkLayer = options.linkLayer();
        this.links = new RoceLinks(lane, local, sink, options.linkSettings(), options.faults(), drops);
        this.sockets = LocalAddress.open(lane, local, options, links);
        lane.call(() -> links.use(sockets));
    }

    /** Begins to receive. Not on the lane. */
    void start() {
        Uninterrupted.await(lane, sockets.start());
    }

    @Override
    public Gid gid() {
        return Gid.of(local);
    }

    InetAddress address() {
        return local;
    }

    boolean isOpen() {
        return open;
    }

    Map<String, Long> drops() {
        return drops.byReason();
    }

    /** The device of this fabric that had that GID was closed. On the lane. */
    void forget(Gid peer) {
        links.forget(peer);
    }

    @Override
    public boolean tellsReasons() {
        return tellsReasons;
    }

    @Override
    public LinkLayer linkLayer() {
        return linkLayer;
    }

    @Override
    public int lid() {
        return LocalIdentifiers.of(gid());
    }

    @Override
    public @Nullable Gid gidOfLid(int lid) {
        return LocalIdentifiers.gidOf(lid, gid());
    }

    @Override
    public int activeMtuBytes() {
        return activeMtuBytes;
    }

    @Override
    public NettyLane lane() {
        return lane;
    }

    @Override
    public Link linkTo(Gid peer) {
        return links.linkTo(peer);
    }

    @Override
    public void setCarrier(boolean present) {
        links.plug(present);
    }

    @Override
    public @Nullable Link wayTo(Gid peer) {
        return links.wayTo(peer);
    }

    /** Any address of its family may have a device; only an answer shows whether it has. */
    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        VerbsException unresolvable = KnownDevices.unresolvable(gid(), open, address);
        if (unresolvable != null) {
            outcome.failed(unresolvable);
        } else if (links.addressOf(Gid.of(address.getAddress())) == null) {
            outcome.failed(VerbsException.of(
                    Errno.EHOSTUNREACH,
                    Rule.N_06,
                    "address=%s is not of the family of the device's address=%s; give one that is, or open a device at one",
                    address,
                    local));
        } else {
            outcome.found(Gid.of(address.getAddress()));
        }
    }

    /** The port number is a service identifier of connection management; no socket listens there. */
    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        return KnownDevices.bind(gid(), address);
    }

    @Override
    public void close() {
        lane.call(() -> {
            if (open) {
                open = false;
                links.shut();
                links.sendLast();
                sockets.close();
                whenClosed.accept(this);
            }
        });
        awaitFree();
    }

    /** Waits until another device can be opened at the address; on the lane nothing waits. */
    void awaitFree() {
        long startNanos = lane.clock().nanoTime();
        while (!sockets.areFree()
                && !lane.isCurrent()
                && lane.loop().closesSockets()
                && lane.clock().nanoTime() - startNanos < LONGEST_CLOSING_NANOS) {
            Uninterrupted.await(lane, lane.loop().netty().submit(() -> {}));
        }
    }

    @Override
    public String toString() {
        return "port " + gid();
    }
}
