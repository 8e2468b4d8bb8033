// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.SegmentRun;
import java.util.ArrayDeque;

/** The way of a device to itself (QV-12): no socket, for what it pulls it hands over in the same step. On the lane. */
final class LoopbackLink implements Link {

    private final NettyPort port;
    private final ArrayDeque<PacketSource> sources = new ArrayDeque<>();
    private final Packet packet = new Packet();
    private final Runnable turn = this::send;
    private boolean turnComes;

    LoopbackLink(NettyPort port) {
        this.port = port;
    }

    @Override
    public Gid peer() {
        return port.gid();
    }

    /** Its timers are those of a link that may lose: nothing is on its way between a pull and its arrival. */
    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public int mostPacketsOfRun() {
        return SegmentRun.MOST_PACKETS;
    }

    @Override
    public void ready(PacketSource source) {
        sources.addLast(source);
        comeToTurn();
    }

    private void comeToTurn() {
        if (!turnComes && !sources.isEmpty()) {
            turnComes = true;
            port.lane().letSend(turn);
        }
    }

    private void send() {
        turnComes = false;
        for (int pulls = 0; pulls < TransportLimits.MOST_PULLS_OF_LOOPBACK && !sources.isEmpty(); pulls++) {
            pull(sources.removeFirst());
        }
        comeToTurn();
    }

    @SuppressWarnings("ReferenceEquality") // a link is its identity
    private void pull(PacketSource source) {
        try {
            if (source.link() == this && source.pull(packet)) {
                if (source.link() == this) {
                    sources.addLast(source);
                }
                port.receive(this, packet);
            }
        } catch (RuntimeException | Error e) {
            port.lane().log().fault("a packet of the device to itself failed; it is lost", e);
        }
        // No memory is held after the step that it was for.
        packet.payload().clear();
    }
}
