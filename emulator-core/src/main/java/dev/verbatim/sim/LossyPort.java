// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.KnownDevices;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/** A device's place on a lossy fabric. */
final class LossyPort implements FabricPort {

    private final LossyFabric fabric;
    private final Gid gid;
    private final PacketSink sink;
    private final Map<Gid, LossyLink> links = new TreeMap<>();
    private boolean attached = true;
    private int life = 1;

    LossyPort(LossyFabric fabric, Gid gid, PacketSink sink) {
        this.fabric = fabric;
        this.gid = gid;
        this.sink = sink;
    }

    /** The fabric has counted it. */
    void live(int which) {
        life = which;
    }

    @Override
    public int life() {
        return life;
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public Lane lane() {
        return fabric.lane();
    }

    @Override
    public LossyLink linkTo(Gid peer) {
        LossyLink link = links.get(peer);
        if (link == null || link.isSevered()) {
            link = new LossyLink(fabric, this, peer);
            links.put(peer, link);
        }
        link.meetPeer();
        return link;
    }

    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        KnownDevices.resolve(address, peer -> fabric.portAt(peer) != null, outcome);
    }

    @Override
    public InetSocketAddress listen(InetSocketAddress address) {
        return KnownDevices.listen(gid, address);
    }

    boolean isAttached() {
        return attached;
    }

    void deliver(Link link, Packet packet) {
        sink.receive(link, packet);
    }

    void carrierChanged(boolean present) {
        sink.carrierChanged(present);
    }

    /** This life of the device is over. On the lane. */
    void leave() {
        attached = false;
    }

    @Override
    public void close() {
        fabric.lane().call(() -> {
            leave();
            fabric.detach(this);
        });
    }
}
