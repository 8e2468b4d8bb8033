// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayList;
import java.util.List;

/** In the place of a device: keeps what arrives, and over which link. */
public final class PacketLog implements PacketSink {
    private final List<PacketRecord> packets = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Boolean> carriers = new ArrayList<>();

    @Override
    public void receive(Link link, Packet packet) {
        packets.add(PacketRecord.of(packet));
        links.add(link);
    }

    @Override
    public void carrierChanged(boolean present) {
        carriers.add(present);
    }

    /** Whether the carrier was there after each of its changes. */
    public List<Boolean> carriers() {
        return carriers;
    }

    /** What arrived, in that order. */
    public List<PacketRecord> packets() {
        return packets;
    }

    /** The PSNs of what arrived, in that order. */
    public List<Integer> psns() {
        return packets.stream().map(PacketRecord::psn).toList();
    }

    /** The link of each packet that arrived. */
    public List<Link> links() {
        return links;
    }
}
