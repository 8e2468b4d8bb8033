// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A port of a device: its own attachment to the fabric, with a GID, links and queue pair 1 of its own. Queue pairs belong to one port at a
 * time; memory, keys and queue pair numbers belong to the device.
 */
public final class DevicePort {

    private final DeviceContext device;
    private final int number;

    @SuppressWarnings("NullAway.Init") // set by DeviceContext.attach(), before the first step on the lane
    private FabricPort attachment;

    private volatile PathMtu linkMtu = PathMtu.MTU_4096;
    private @Nullable Inquiry inquiry;

    DevicePort(DeviceContext device, int number) {
        this.device = device;
        this.number = number;
    }

    /** How the peer of a connection is asked, where it is not at hand and the carrier's options have it asked. */
    @FunctionalInterface
    public interface Inquiry {

        /**
         * A request was answered with a NAK.
         *
         * @param peer the device that answered
         * @param qp the queue pair here
         * @param peerQp that of the peer
         * @param refusal which gets the reason as its cause when it has come
         */
        void ask(Gid peer, int qp, int peerQp, int psn, Refusal refusal);
    }

    void attach(FabricPort attached) {
        attachment = attached;
    }

    /** Its number, from 1. */
    public int number() {
        return number;
    }

    /** Its place on the fabric. */
    public FabricPort attachment() {
        return attachment;
    }

    public Gid gid() {
        return attachment.gid();
    }

    /** Largest path MTU: that of the profile, of the carrier or of the link, whichever is smallest. */
    public int activeMtuBytes() {
        return Math.min(
                Math.min(device.profile().limits().activeMtuBytes(), attachment.activeMtuBytes()), linkMtu.bytes());
    }

    /** The link carries no more than that from now on. On the lane. */
    public void boundMtu(PathMtu mtu) {
        linkMtu = mtu;
    }

    /** From now on peers are asked why they answered with a NAK. On the lane. */
    public void askBy(Inquiry chosen) {
        inquiry = chosen;
    }

    /** Asks the peer, if peers are asked. On the lane. */
    public void ask(Gid peer, int qp, int peerQp, int psn, Refusal refusal) {
        Inquiry way = inquiry;
        if (way != null) {
            way.ask(peer, qp, peerQp, psn, refusal);
        }
    }

    @Override
    public String toString() {
        return "port " + number + " of " + device.name();
    }
}
