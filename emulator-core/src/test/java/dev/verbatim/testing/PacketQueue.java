// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** In the place of a queue pair: sends what it is given, one packet a turn. */
public final class PacketQueue implements PacketSource {
    private final ArrayDeque<PacketRecord> waiting = new ArrayDeque<>();
    private final FabricPort port;
    private @Nullable Link link;

    /** A queue of the device at {@code port}; its packets go to no one until {@link #over} named a link. */
    public PacketQueue(FabricPort port) {
        this.port = port;
    }

    /** A SEND_ONLY without payload. */
    public static PacketRecord send(int psn) {
        return PacketRecord.of(new Packet().begin(Opcode.SEND_ONLY).psn(psn));
    }

    /** From now on packets go over this link. */
    public PacketQueue over(@Nullable Link link) {
        this.link = link;
        return this;
    }

    /** Adds packets without telling the link. */
    public PacketQueue add(PacketRecord... packets) {
        for (PacketRecord packet : packets) {
            waiting.add(packet);
        }
        return this;
    }

    /** Adds packets and tells the link. */
    public void send(PacketRecord... packets) {
        add(packets);
        port.lane().call(this::ready);
    }

    /** Adds one {@link #send(int)} for each PSN and tells the link. */
    public void sendPsns(int... psns) {
        for (int psn : psns) {
            add(send(psn));
        }
        port.lane().call(this::ready);
    }

    /** Tells the link that there is something to send. On the lane. */
    public void ready() {
        if (link != null) {
            link.ready(this);
        }
    }

    @Override
    public boolean pull(Packet packet) {
        PacketRecord next = waiting.poll();
        if (next == null) {
            return false;
        }
        Packet filled = next.toPacket();
        packet.begin(filled.opcode()).copyHeadersFrom(filled);
        packet.payload().add(next.payload().asByteBuffer(), 0, next.payload().lengthBytes());
        return true;
    }

    @Override
    public @Nullable Link link() {
        return link;
    }
}
