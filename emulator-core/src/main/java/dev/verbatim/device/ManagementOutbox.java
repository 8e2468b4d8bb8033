// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Packet;
import java.util.ArrayDeque;

/** The management datagrams that wait for one link, so that a slow peer does not delay others. */
final class ManagementOutbox implements PacketSource {

    private final ManagementQueuePair owner;
    private final Link link;
    private final ArrayDeque<Octets> waiting = new ArrayDeque<>();
    private boolean announced;

    ManagementOutbox(ManagementQueuePair owner, Link link) {
        this.owner = owner;
        this.link = link;
    }

    void add(Octets mad) {
        waiting.addLast(mad);
        if (!announced) {
            announced = true;
            link.ready(this);
        }
    }

    int size() {
        return waiting.size();
    }

    /**
     * Drops what waits.
     *
     * @return how many that were
     */
    int clear() {
        int dropped = waiting.size();
        waiting.clear();
        return dropped;
    }

    @Override
    public boolean hasMore() {
        return !waiting.isEmpty();
    }

    @Override
    public boolean pull(Packet packet) {
        try {
            return next(packet);
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    public void failed(Throwable thrown) {
        announced = false;
        owner.failed(thrown);
    }

    private boolean next(Packet packet) {
        Octets next = waiting.pollFirst();
        if (next == null) {
            announced = false;
            owner.emptied(this);
            return false;
        }
        owner.fill(next, packet, link);
        return true;
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public int queuePair() {
        return ManagementPort.QP_NUMBER;
    }

    /** Its name in a simulation. */
    @Override
    public String toString() {
        return owner + " request to " + link.peer();
    }
}
