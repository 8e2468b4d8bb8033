// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.RoceRoute;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One direction between two lives of two devices on a lossy network. */
public final class LossyLink implements Link {

    /** The packets to one queue pair, which keep their order. */
    static final class Flow {

        final String arrivals;
        private final String name;
        private final int destQp;

        /** How many were sent. */
        long packets;

        private Flow(String link, int destQp) {
            this.name = link + " " + destQp;
            this.arrivals = "arrivals " + name;
            this.destQp = destQp;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final LossyNetwork network;
    private final LossyPort local;
    private final Gid peer;
    private final RoceRoute route;
    private final String name;
    private final Map<Integer, Flow> flows = new TreeMap<>();
    private @Nullable Flow lastFlow;
    private @Nullable LossyPort remote;

    LossyLink(LossyNetwork network, LossyPort local, Gid peer) {
        this.network = network;
        this.local = local;
        this.peer = peer;
        Gid self = local.gid();
        this.name = self + " > " + peer;
        this.route = new RoceRoute(self.prefix(), self.interfaceId(), peer.prefix(), peer.interfaceId());
    }

    /** The link back to an incarnation of a device that has left. */
    static LossyLink severed(LossyNetwork network, LossyPort local, LossyPort peer) {
        LossyLink link = new LossyLink(network, local, peer.gid());
        link.remote = peer;
        return link;
    }

    @Override
    public Gid peer() {
        return peer;
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public void ready(PacketSource source) {
        network.lane().enqueue(source);
    }

    @Override
    public @Nullable Refusal reasonOfNak(int qp, int peerQp, int psn) {
        LossyPort there = remote;
        return there == null ? null : there.sink().reasonOfNak(local.gid(), qp, peerQp, psn);
    }

    @Override
    public @Nullable Refusal reasonOfSilence(int qp, int peerQp) {
        Refusal loss = reasonOfLoss();
        if (loss == null && network.isCut(peer, local.gid())) {
            return cut();
        }
        LossyPort there = remote;
        return loss != null || there == null ? loss : there.sink().reasonOfSilence(local.gid(), qp, peerQp);
    }

    @Override
    public @Nullable Refusal reasonOfLoss() {
        meetPeer();
        LossyPort there = remote;
        if (there == null || !there.isAttached()) {
            return KnownDevices.absent(peer, there != null);
        }
        if (network.isUnplugged(local.gid()) || network.isUnplugged(peer)) {
            return KnownDevices.withoutCarrier(network.isUnplugged(peer) ? peer : local.gid());
        }
        return network.isCut(local.gid(), peer) ? cut() : null;
    }

    private Refusal cut() {
        return Refusal.of(Rule.QP_29, "the link between %s and %s is cut", local.gid(), peer);
    }

    /** From now on the peer is the device that has its GID now, if there is one and none was met before. */
    void meetPeer() {
        if (remote == null) {
            remote = network.portAt(peer);
        }
    }

    /** Whether the device at the other end has been met and is gone for good. */
    boolean isSevered() {
        return remote != null && !remote.isAttached();
    }

    /** Sends the packet. */
    public void send(Packet packet) {
        meetPeer();
        if (local.isAttached() && isPassable()) {
            network.carry(this, packet);
        }
    }

    /** Delivers the packet, unless the link was closed meanwhile. */
    void arrive(Packet packet) {
        LossyPort receiver = remote;
        if (receiver != null && isPassable()) {
            receiver.deliver(receiver.linkBackTo(local), packet);
        }
    }

    /** Whether it leads from that life of a device. */
    public boolean isOf(LossyPort port) {
        return local == port;
    }

    boolean leadsTo(LossyPort port) {
        return remote == port;
    }

    /** Where datagrams of this link come from and go to. */
    RoceRoute route() {
        return route;
    }

    /** The packets to a queue pair of the peer. */
    Flow flowTo(int destQp) {
        Flow flow = lastFlow;
        if (flow == null || flow.destQp != destQp) {
            flow = flows.computeIfAbsent(destQp, to -> new Flow(name, to));
            lastFlow = flow;
        }
        return flow;
    }

    @Override
    public String toString() {
        return name;
    }

    public Gid localGid() {
        return local.gid();
    }

    private boolean isPassable() {
        return remote != null && remote.isAttached() && !local.isDead() && !network.isCut(local.gid(), peer);
    }
}
