// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;

/** What arrives for a device, until its port closes. On the lane. */
public final class Intake {

    private final PacketSink sink;
    private volatile boolean open = true;

    /** Passes on what arrives for the device. */
    public Intake(PacketSink sink) {
        this.sink = sink;
    }

    /** From any thread. */
    public boolean isOpen() {
        return open;
    }

    /** Nothing comes in any more. */
    public void shut() {
        open = false;
    }

    /** Where the payload of a packet belongs; see {@link PacketSink#land}. */
    boolean land(Link link, Packet head, int payloadLengthBytes, LandingPlace place) {
        return open && sink.land(link, head, payloadLengthBytes, place);
    }

    /** What answers for the device why it refused a request, or does not answer. */
    PacketSink sink() {
        return sink;
    }

    /** A request has come over the link on the fast path; false if it is to come as a packet. */
    boolean receivePlain(Link link, PlainRequest request) {
        return open && sink.receivePlain(link, request, false);
    }

    /** The same for an answer. */
    boolean receivePlain(Link link, PlainAnswer answer) {
        return open && sink.receivePlain(link, answer);
    }

    /** A packet has come over the link. */
    void receive(Link link, Packet packet) {
        if (open) {
            sink.receive(link, packet);
        }
    }
}
