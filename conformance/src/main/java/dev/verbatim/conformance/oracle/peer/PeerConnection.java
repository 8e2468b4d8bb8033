// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.trace.TracedPacket;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One life of a queue pair of the own device, and the queue pair of the peer that it is connected to. */
final class PeerConnection {

    private final int number;
    private final String name;
    private final PeerResponder responder;
    private final PeerRequester requester;
    private @Nullable PeerQueuePair peer;
    private @Nullable Gid destination;
    private boolean isReliable;
    private boolean isUnreliable;

    PeerConnection(int number, String name, Findings findings) {
        this.number = number;
        this.name = name;
        this.responder = new PeerResponder(name, findings);
        this.requester = new PeerRequester(name, findings);
    }

    /** Which of all connections, from 0. */
    int number() {
        return number;
    }

    PeerResponder responder() {
        return responder;
    }

    PeerRequester requester() {
        return requester;
    }

    /** The opcode of a packet determines the transport. */
    void speaks(TracedPacket packet) {
        boolean isNumbered =
                packet.transportName().equals("RC") || packet.transportName().equals("XRC");
        isReliable |= isNumbered;
        isUnreliable |= !isNumbered;
    }

    /** Whether packets are numbered and answered, as far as there were any. */
    boolean isReliable() {
        return isReliable && !isUnreliable;
    }

    void leadsTo(Gid gid) {
        destination = gid;
    }

    /** Whether it is one between devices that are traced, which are not their own peer. */
    boolean leadsToOneOf(Set<Gid> gids) {
        return destination != null && gids.contains(destination);
    }

    void joins(PeerQueuePair other) {
        peer = other;
    }

    @Nullable
    PeerQueuePair peer() {
        return peer;
    }

    /** The receive of the peer that a message takes; null if it is not known. */
    @Nullable
    ReceiveWorkRequest receiveOf(AskedRequest request) {
        PeerQueuePair other = peer;
        return other == null ? null : other.receiveOf(request);
    }

    @Override
    public String toString() {
        return name;
    }
}
