// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/** A device's place on the in-process fabric. */
final class InProcessPort implements FabricPort {

    private final InProcessFabric fabric;
    private final Gid gid;
    private final PacketSink sink;
    private final Map<Gid, InProcessLink> links = new TreeMap<>();
    private boolean attached = true;
    private boolean carrier = true;
    private int life = 1;

    InProcessPort(InProcessFabric fabric, Gid gid, PacketSink sink) {
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
    public InProcessLink linkTo(Gid peer) {
        InProcessLink link = links.get(peer);
        if (link == null || link.isSevered()) {
            link = new InProcessLink(fabric, this, peer);
            links.put(peer, link);
        }
        link.meetPeer();
        return link;
    }

    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        KnownDevices.resolve(address, peer -> fabric.portAt(peer) != null, outcome::found, outcome::failed);
    }

    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        return KnownDevices.bind(gid, address);
    }

    @Override
    public void setCarrier(boolean present) {
        if (carrier != present) {
            carrier = present;
            sink.carrierChanged(present);
        }
    }

    boolean isAttached() {
        return attached;
    }

    /** Whether packets leave it, and come to it. */
    boolean isPassable() {
        return attached && carrier;
    }

    PacketSink sink() {
        return sink;
    }

    /** Another device has left. On the lane. */
    void left(Gid peer) {
        InProcessLink link = links.get(peer);
        if (link != null && link.stopWatchingPeer()) {
            sink.carrierLost(peer, true);
        }
    }

    /** This life of the device is over. On the lane. */
    void leave() {
        attached = false;
    }

    @Override
    public void close() {
        fabric.lane().call(() -> {
            try {
                fabric.lane().giveLastTurns(this);
            } finally {
                leave();
                fabric.detach(this);
                fabric.tellOthers(gid);
            }
        });
    }

    @Override
    public String toString() {
        return "port " + gid;
    }
}
