// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.AccessDecision;
import dev.verbatim.device.AccessOperation;
import dev.verbatim.device.Denial;
import dev.verbatim.device.EmulatedQueuePair;
import dev.verbatim.device.SendOpcodes;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * What a responder has to send: the responses of its READs and atomics, oldest first, and after them one reply, ACK or
 * NAK, in which later ones are merged (ORD-36, ACK-04).
 */
final class ResponderOutbox {

    static final int ATOMIC_BYTES = 8;

    private static final int NO_REPLY = -1;

    private final EmulatedQueuePair qp;
    private final RcEngine engine;
    private final Responder responder;
    private final ResponderResources resources;
    private int replySyndrome = NO_REPLY;
    private int replyPsn;
    private boolean last;

    ResponderOutbox(EmulatedQueuePair qp, RcEngine engine, Responder responder, ResponderResources resources) {
        this.qp = qp;
        this.engine = engine;
        this.responder = responder;
        this.resources = resources;
    }

    void clear() {
        replySyndrome = NO_REPLY;
        last = false;
    }

    /** Whether the queue pair ended with a NAK that, with the responses before it, is still to be sent. */
    boolean hasLastWords() {
        return last;
    }

    /** An ACK or NAK; it takes the place of one that was not sent yet, which it implies (ACK-02, ACK-03). */
    void reply(int psn, int syndrome) {
        replyPsn = psn;
        replySyndrome = syndrome;
        qp.announceResponses();
    }

    /** Acknowledges a repeated request, unless there is a newer reply to send anyway. */
    void acknowledgeAgain(int psn) {
        if (replySyndrome == NO_REPLY) {
            reply(psn, Syndrome.ACK_NO_CREDIT);
        }
    }

    /** The NAK after which the queue pair is silent. */
    void lastReply(int psn, int syndrome) {
        last = true;
        reply(psn, syndrome);
    }

    /** The queue pair is silent after what it owes for earlier requests. */
    void onlyWhatIsOwed() {
        last = hasMore();
    }

    /** A response is to be sent; it implies the acknowledgement of everything before it. */
    void respond() {
        replySyndrome = NO_REPLY;
        qp.announceResponses();
    }

    /** Whether there is something to send. */
    boolean hasMore() {
        return replySyndrome != NO_REPLY || resources.oldestPending() != null;
    }

    /** What lets the next packet wait: a READ is fetched when its response is filled, other packets are ready. */
    ChoicePoint point() {
        ResponderResource resource = resources.oldestPending();
        return resource != null && resource.isRead() ? ChoicePoint.READ_FETCH : ChoicePoint.ACKNOWLEDGEMENT;
    }

    /** Fills the next packet; false if there is none. */
    boolean pull(Packet packet) {
        ResponderResource resource = resources.oldestPending();
        if (resource != null) {
            qp.decided("ORD-36");
            fillResponse(resource, packet);
            return true;
        }
        if (replySyndrome == NO_REPLY) {
            return false;
        }
        fillReply(packet);
        return true;
    }

    private void fillReply(Packet packet) {
        begin(packet, Opcode.ACKNOWLEDGE, replyPsn, replySyndrome);
        replySyndrome = NO_REPLY;
        last = false;
    }

    private void fillResponse(ResponderResource resource, Packet packet) {
        if (!resource.isRead()) {
            begin(packet, Opcode.ATOMIC_ACKNOWLEDGE, resource.nextPsn(), Syndrome.ACK_NO_CREDIT);
            packet.originalData(resource.originalData());
            resource.sent(1);
            return;
        }
        int count = Math.min(engine.mostPacketsOfRun(), resource.packetsLeft());
        Opcode opcode =
                SendOpcodes.readResponse(qp.transport(), resource.isFirstOfAnswer(), count == resource.packetsLeft());
        begin(packet, opcode, resource.nextPsn(), Syndrome.ACK_NO_CREDIT);
        packet.packets(count);
        Denial denial = fetch(resource, count, packet);
        if (denial == null) {
            resource.sent(count);
            return;
        }
        // Revoked while it was being answered: the READ fails where it is (N7), and what came after it is not answered.
        int psn = resource.nextPsn();
        if (!last) {
            responder.refuseResponse(psn, denial);
        }
        resources.clear();
        replyPsn = psn;
        replySyndrome = denial.syndrome();
        fillReply(packet);
    }

    private @Nullable Denial fetch(ResponderResource resource, int count, Packet packet) {
        int mtu = qp.pathMtuBytes();
        long address = resource.nextAddress(mtu);
        int lengthBytes = resource.nextLengthBytes(mtu, count);
        Denial denial = AccessDecision.remoteKeyStill(
                qp.device().keys(),
                resource.user(),
                AccessOperation.RDMA_READ,
                address,
                lengthBytes,
                resource.remoteKey(),
                resource.binding());
        return denial == null
                ? qp.localMemory().fetch(resource.remoteKey(), address, lengthBytes, packet.psn(), packet.payload())
                : denial;
    }

    private void begin(Packet packet, Opcode opcode, int psn, int syndrome) {
        packet.begin(opcode.over(qp.transport()))
                .destQp(qp.attributes().destinationQp())
                .psn(psn)
                .syndrome(syndrome)
                .messageSequence(responder.messageSequence());
    }
}
