// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainRequest;
import org.jspecify.annotations.Nullable;

/** One direction between two devices of one JVM. */
final class InProcessLink implements Link {

    private final InProcessFabric fabric;
    private final InProcessLane lane;
    private final InProcessPort local;
    private final Gid peer;
    private final boolean fastPath;
    private boolean peerWatched;
    private @Nullable InProcessPort remote;
    private @Nullable InProcessLink reverse;

    InProcessLink(InProcessFabric fabric, InProcessPort local, Gid peer) {
        this.fabric = fabric;
        this.lane = fabric.lane();
        this.local = local;
        this.peer = peer;
        this.fastPath = fabric.hasFastPath();
        this.remote = fabric.portAt(peer);
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
    public int mostPacketsOfRun() {
        return fabric.mostPacketsOfRun();
    }

    @Override
    public void ready(PacketSource source) {
        lane.enqueue(source);
    }

    @Override
    public @Nullable Refusal reasonOfNak(int qp, int peerQp, int psn) {
        InProcessPort there = remote;
        return there == null ? null : there.sink().reasonOfNak(local.gid(), qp, peerQp, psn);
    }

    @Override
    public @Nullable Refusal reasonOfSilence(int qp, int peerQp) {
        Refusal loss = reasonOfLoss();
        InProcessPort there = remote;
        return loss != null || there == null ? loss : there.sink().reasonOfSilence(local.gid(), qp, peerQp);
    }

    @Override
    public @Nullable Refusal reasonOfLoss() {
        meetPeer();
        InProcessPort there = remote;
        if (there == null || !there.isAttached()) {
            return KnownDevices.absent(peer, there != null);
        }
        return local.isPassable() && there.isPassable()
                ? null
                : KnownDevices.withoutCarrier(local.isPassable() ? peer : local.gid());
    }

    @Override
    public void watchPeer() {
        peerWatched = true;
    }

    /** Ends watching the peer; whether it was watched. */
    boolean stopWatchingPeer() {
        boolean was = peerWatched;
        peerWatched = false;
        return was;
    }

    boolean isOf(InProcessPort port) {
        return local == port;
    }

    /** From now on the peer is the device that has its GID now, if there is one and none was met before. */
    void meetPeer() {
        if (remote == null) {
            remote = fabric.portAt(peer);
        }
    }

    /** Whether the device at the other end has been met and is gone for good. */
    boolean isSevered() {
        return remote != null && !remote.isAttached();
    }

    /** Hands the packet to the peer; loses it if there is none. */
    void carry(Packet packet) {
        meetPeer();
        InProcessPort receiver = remote;
        if (receiver != null && local.isPassable() && receiver.isPassable()) {
            receiver.sink().receive(back(receiver), packet);
        }
    }

    /**
     * The fast path: the next request of the source is started, executed, answered and completed in this step.
     *
     * @return false if a packet is to be pulled
     */
    boolean exchange(PacketSource source, PlainRequest request) {
        InProcessPort receiver = remote;
        if (!fastPath
                || receiver == null
                || !local.isPassable()
                || !source.begin(request, true)
                || !receiver.isPassable()
                || !receiver.sink().receivePlain(back(receiver), request, true)) {
            return false;
        }
        source.handedOver(request);
        return true;
    }

    private InProcessLink back(InProcessPort receiver) {
        InProcessLink back = reverse;
        if (back == null) {
            back = receiver.linkTo(local.gid());
            reverse = back;
        }
        return back;
    }

    @Override
    public String toString() {
        return local.gid() + " > " + peer;
    }
}
