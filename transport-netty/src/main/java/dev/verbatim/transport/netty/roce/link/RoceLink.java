// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The link to one address. It has no connection: what it sends may be lost without notice. A peer whose address this device
 * cannot reach, since it is of the other family, gets nothing. All on the lane.
 */
public final class RoceLink implements Link {

    private final RoceLinks links;
    private final Gid peer;
    private final @Nullable InetSocketAddress to;
    private final @Nullable IpUdpHeader outward;
    private final @Nullable IpUdpHeader inward;
    private final ArrayDeque<PacketSource> sources = new ArrayDeque<>();
    private final Runnable turn = this::send;
    private boolean turnComes;
    private boolean severed;
    private boolean headerExplained;

    /**
     * A link.
     *
     * @param address of the peer; null if it cannot be reached
     */
    RoceLink(RoceLinks links, Gid peer, @Nullable InetAddress address) {
        this.links = links;
        this.peer = peer;
        this.to = address == null ? null : new InetSocketAddress(address, links.peerPort());
        this.outward = address == null ? null : new IpUdpHeader(links.local(), address);
        this.inward = address == null ? null : new IpUdpHeader(address, links.local());
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
    public int sendWindowPackets() {
        return links.sendWindowPackets();
    }

    @Override
    public void ready(PacketSource source) {
        sources.addLast(source);
        comeToTurn();
    }

    /** There is room at the sockets, or something to send. */
    void comeToTurn() {
        if (!turnComes && !sources.isEmpty()) {
            turnComes = true;
            links.letSend(turn);
        }
    }

    /** The peer is gone for good: what is sent from now on is lost. */
    void sever() {
        severed = true;
    }

    @Override
    public @Nullable Refusal reasonOfLoss() {
        Refusal unplugged = links.reasonOfSilence();
        return unplugged == null && to() == null ? KnownDevices.absent(peer, severed) : unplugged;
    }

    @Nullable
    InetSocketAddress to() {
        return severed ? null : to;
    }

    /** Whether it was said before what the 40 bytes of datagrams from this peer leave out; from now on it was. */
    boolean explainHeader() {
        boolean before = headerExplained;
        headerExplained = true;
        return before;
    }

    /** The headers of what goes to the peer. */
    @Nullable
    IpUdpHeader outward() {
        return outward;
    }

    /** The headers of what comes from the peer. */
    @Nullable
    IpUdpHeader inward() {
        return inward;
    }

    private void send() {
        if (!links.mayWrite()) {
            links.letLoopSend(turn);
            return;
        }
        turnComes = false;
        if (sendUpTo(RoceLinks.MOST_PULLS_IN_A_ROW)) {
            comeToTurn();
        } else {
            links.awaitRoom(this);
        }
    }

    /** Pulls the sources round and round; false if there was no room for more. */
    boolean sendUpTo(int most) {
        boolean room = true;
        for (int pulls = 0; pulls < most && !sources.isEmpty(); pulls++) {
            room = links.hasRoom(this);
            if (!room) {
                break;
            }
            pull(sources.removeFirst());
        }
        links.flush();
        return room;
    }

    /** Packets of a source without a link are lost; a source with another link has announced itself there. */
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    private void pull(PacketSource source) {
        try {
            Link over = source.link();
            Packet packet = links.outgoing();
            if ((over == this || over == null) && source.pull(packet)) {
                if (source.link() == over) {
                    sources.addLast(source);
                }
                if (over != null) {
                    links.send(this, packet, source);
                }
            }
        } catch (RuntimeException | Error e) {
            links.turnFailed(peer, source, e);
        }
    }

    @Override
    public String toString() {
        return "link to " + peer;
    }
}
