// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.List;

/** In the place of a device: notes what arrives and when, as in {@code 7@1000}. */
final class Arrivals implements PacketSink {
    private final List<String> log = new ArrayList<>();
    private final LossyFabric fabric;

    Arrivals(LossyFabric fabric) {
        this.fabric = fabric;
    }

    @Override
    public void receive(Link link, Packet packet) {
        log.add(packet.psn() + "@" + fabric.clock().nanoTime());
    }

    List<String> log() {
        return log;
    }

    List<Integer> psns() {
        return log.stream()
                .map(arrival -> Integer.parseInt(arrival.substring(0, arrival.indexOf('@'))))
                .toList();
    }

    List<Long> times() {
        return log.stream()
                .map(arrival -> Long.parseLong(arrival.substring(arrival.indexOf('@') + 1)))
                .toList();
    }
}
