// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.testing.PacketQueue;
import dev.verbatim.verbs.Gid;

/** Two places for devices on one lossy fabric, each with one queue of packets to the other. */
final class TwoDevices {
    static final Gid A = Gid.ofGuid(0xa);
    static final Gid B = Gid.ofGuid(0xb);

    final LossyFabric fabric;
    final Arrivals atA;
    final Arrivals atB;
    final FabricPort a;
    final FabricPort b;
    final PacketQueue toA;
    final PacketQueue toB;

    TwoDevices(LossyFabric fabric) {
        this.fabric = fabric;
        atA = new Arrivals(fabric);
        atB = new Arrivals(fabric);
        a = fabric.attach(A, atA);
        b = fabric.attach(B, atB);
        toA = queue(b, A);
        toB = queue(a, B);
    }

    static PacketQueue queue(FabricPort port, Gid peer) {
        Link[] link = new Link[1];
        port.lane().call(() -> link[0] = port.linkTo(peer));
        return new PacketQueue(port).over(link[0]);
    }

    /** Lets everything happen that is going to. */
    TwoDevices settle() {
        boolean happened;
        do {
            happened = fabric.step();
        } while (happened);
        return this;
    }
}
