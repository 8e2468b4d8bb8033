// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/** A device's place on a lossy network. */
public final class LossyPort implements FabricPort {

    private final LossyNetwork network;
    private final Gid gid;
    private final PacketSink sink;
    private final Map<Gid, LossyLink> links = new TreeMap<>();
    private boolean attached = true;
    private boolean dead;
    private int life = 1;

    public LossyPort(LossyNetwork network, Gid gid, PacketSink sink) {
        this.network = network;
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
        return network.lane();
    }

    @Override
    public LossyLink linkTo(Gid peer) {
        LossyLink link = links.get(peer);
        if (link == null || link.isSevered()) {
            link = new LossyLink(network, this, peer);
            links.put(peer, link);
        }
        link.meetPeer();
        return link;
    }

    /** The link to that incarnation of the peer; a severed one if it has left and there was no link to it. */
    LossyLink linkBackTo(LossyPort sender) {
        LossyLink link = sender.isAttached() ? linkTo(sender.gid()) : links.get(sender.gid());
        return link != null && link.leadsTo(sender) ? link : LossyLink.severed(network, this, sender);
    }

    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        KnownDevices.resolve(address, peer -> network.portAt(peer) != null, outcome::found, outcome::failed);
    }

    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        return KnownDevices.bind(gid, address);
    }

    @Override
    public void setCarrier(boolean present) {
        if (present) {
            network.plug(gid);
        } else {
            network.unplug(gid);
        }
    }

    boolean isAttached() {
        return attached;
    }

    void deliver(Link link, Packet packet) {
        sink.receive(link, packet);
    }

    PacketSink sink() {
        return sink;
    }

    void carrierChanged(boolean present) {
        sink.carrierChanged(present);
    }

    /** Whether its machine has crashed: its packets in flight are lost too. */
    boolean isDead() {
        return dead;
    }

    /** This life of the device ends without a word. On the lane. */
    void die() {
        dead = true;
        attached = false;
        network.detach(this);
    }

    @Override
    public void close() {
        network.lane().call(() -> {
            try {
                if (attached) {
                    network.lane().giveLastTurns(this);
                }
            } finally {
                attached = false;
                network.detach(this);
            }
        });
    }

    @Override
    public String toString() {
        return "port " + gid;
    }
}
