// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A device that only keeps what comes, with the link over which it came. */
final class Inbox implements PacketSink {

    private static final Duration GENEROUS = Duration.ofSeconds(30);

    private final List<Map.Entry<Link, PacketRecord>> arrived = new ArrayList<>();

    @Override
    public synchronized void receive(Link link, Packet packet) {
        arrived.add(Map.entry(link, PacketRecord.of(packet)));
        notifyAll();
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

    private synchronized List<Map.Entry<Link, PacketRecord>> awaitArrivals(int count) {
        long deadlineNanos = System.nanoTime() + GENEROUS.toNanos();
        while (arrived.size() < count) {
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            assertThat(leftMillis)
                    .as("arrived=%s of count=%s", arrived.size(), count)
                    .isPositive();
            try {
                wait(leftMillis);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return List.copyOf(arrived.subList(0, count));
    }
}
