// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.Await;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A device that only keeps what comes, with the link over which it came. */
final class Inbox implements PacketSink {

    private final List<Map.Entry<Link, PacketRecord>> arrived = new ArrayList<>();
    private final List<Boolean> carriers = new ArrayList<>();

    @Override
    public synchronized void receive(Link link, Packet packet) {
        arrived.add(Map.entry(link, PacketRecord.of(packet)));
    }

    @Override
    public synchronized void carrierChanged(boolean present) {
        carriers.add(present);
    }

    /** Whether the carrier was there after each of its changes. */
    synchronized List<Boolean> carriers() {
        return List.copyOf(carriers);
    }

    /** Waits until so many packets have come, and returns them. */
    List<PacketRecord> await(int count) {
        return awaitArrivals(count).stream().map(Map.Entry::getValue).toList();
    }

    /** Waits until so many packets have come, and returns the link of the last one. */
    Link awaitLink(int count) {
        return awaitArrivals(count).get(count - 1).getKey();
    }

    synchronized int size() {
        return arrived.size();
    }

    private List<Map.Entry<Link, PacketRecord>> awaitArrivals(int count) {
        Await.until("count=" + count + " packets", () -> size() >= count, () -> "arrived=" + size());
        synchronized (this) {
            return List.copyOf(arrived.subList(0, count));
        }
    }
}
