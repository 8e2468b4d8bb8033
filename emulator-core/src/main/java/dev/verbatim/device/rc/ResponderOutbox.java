// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.message.SplitRead;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.Syndrome;
import dev.verbatim.wire.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a responder has to send: the responses of its READs and atomics, oldest first, and after them one reply, ACK or
 * NAK, in which later ones are merged (ORD-36, ACK-04).
 */
final class ResponderOutbox {

    private static final int NO_REPLY = -1;

    /** So much of READs that are not themselves overtaken is held at most, whatever a peer asks for. */
    private static final long MOST_BYTES_AHEAD = 1 << 20;

    private final QpContext qp;
    private final Transport transport;
    private final Opcode acknowledge;
    private final RcEngine engine;
    private final Responder responder;
    private final ResponderResources resources;
    private final @Nullable SplitRead words;
    private int replySyndrome = NO_REPLY;
    private int replyPsn;
    private boolean last;

    ResponderOutbox(QpContext qp, RcEngine engine, Responder responder, ResponderResources resources) {
        this.qp = qp;
        this.transport = qp.transport();
        this.acknowledge = Opcode.ACKNOWLEDGE.over(transport);
        this.engine = engine;
        this.responder = responder;
        this.resources = resources;
        this.words = SplitRead.ofFetches(qp);
    }

    void clear() {
        replySyndrome = NO_REPLY;
        last = false;
        forgetWords();
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

    /** An ACK of everything up to {@code psn}. */
    void acknowledge(int psn) {
        reply(psn, Syndrome.ACK_NO_CREDIT);
    }

    /** Acknowledges a repeated request, unless there is a newer reply to send anyway. */
    void acknowledgeAgain(int psn) {
        if (replySyndrome == NO_REPLY) {
            reply(psn, Syndrome.ACK_NO_CREDIT);
        }
    }

    /** The NAK after which the queue pair is silent. */
    void lastReply(int psn, int syndrome) {
        forgetUnowed();
        last = true;
        reply(psn, syndrome);
    }

    /** The queue pair is silent after what it owes for earlier requests. */
    void onlyWhatIsOwed() {
        forgetUnowed();
        last = replySyndrome != NO_REPLY || resources.oldestPending() != null;
    }

    /** Nothing more is fetched for an answer that is not to be given. */
    private void forgetUnowed() {
        ResponderResource resource = resources.oldestPending();
        if (words != null && (resource == null || !words.isOf(resource.nextPsn()))) {
            words.forget();
        }
    }

    private void forgetWords() {
        if (words != null) {
            words.forget();
        }
    }

    /** A response is to be sent; it implies the acknowledgement of everything before it. */
    void respond() {
        replySyndrome = NO_REPLY;
        qp.announceResponses();
    }

    /**
     * The peer is about to ask again for all that it has no answer to, since the link was interrupted. Answers from before
     * would seem to have gaps, which cost it a retry. What a queue pair says last is said all the same: it does not hear again.
     */
    void leaveToBeAskedAgain() {
        if (!last) {
            replySyndrome = NO_REPLY;
            resources.leavePending();
        }
    }

    /** Whether there is something to send. */
    boolean hasMore() {
        return (words == null || !words.isUnderWay()) && !isEmpty();
    }

    /** Whether there is no reply and no response, not even one that is still being fetched. */
    boolean isEmpty() {
        return replySyndrome == NO_REPLY && resources.oldestPending() == null;
    }

    /** Whether there is nothing but an ACK, behind which more is to come (ACK-04). */
    boolean mayWait() {
        return replySyndrome == Syndrome.ACK_NO_CREDIT && !last && resources.oldestPending() == null;
    }

    /** Whether what is read may be fetched in parts. */
    boolean fetchesInParts() {
        return words != null;
    }

    /** What lets the next packet wait: a READ is fetched when its response is filled, other packets are ready. */
    ChoicePoint point() {
        ResponderResource resource = resources.oldestPending();
        return resource != null && resource.isRead() ? ChoicePoint.READ_FETCH : ChoicePoint.ACKNOWLEDGEMENT;
    }

    /** Fills in the ACK, if there is nothing else. */
    boolean pullAck(PlainAnswer out) {
        if (!mayWait()) {
            return false;
        }
        out.opcode = Opcode.ACKNOWLEDGE;
        out.psn = replyPsn;
        out.lengthBytes = 0;
        replySyndrome = NO_REPLY;
        return true;
    }

    /** Fills the next packet; false if there is none. */
    boolean pull(Packet packet) {
        if (words != null && words.isUnderWay()) {
            return false;
        }
        ResponderResource resource = resources.oldestPending();
        if (resource != null) {
            qp.decided(Rule.ORD_36);
            return fillResponse(resource, packet);
        }
        if (replySyndrome == NO_REPLY) {
            return false;
        }
        fillReply(packet);
        return true;
    }

    private void fillReply(Packet packet) {
        begin(packet, acknowledge, replyPsn, replySyndrome);
        replySyndrome = NO_REPLY;
        last = false;
    }

    /** The opcode of packets of the answer to a READ. */
    private Opcode readResponse(boolean isFirst, boolean isLast) {
        Opcode begins = isLast ? Opcode.RDMA_READ_RESPONSE_ONLY : Opcode.RDMA_READ_RESPONSE_FIRST;
        Opcode continues = isLast ? Opcode.RDMA_READ_RESPONSE_LAST : Opcode.RDMA_READ_RESPONSE_MIDDLE;
        return (isFirst ? begins : continues).over(transport);
    }

    private boolean fillResponse(ResponderResource resource, Packet packet) {
        if (!resource.isRead()) {
            Opcode answer = resource.isAtomic() ? Opcode.ATOMIC_ACKNOWLEDGE : Opcode.RDMA_READ_RESPONSE_ONLY;
            begin(packet, answer.over(transport), resource.nextPsn(), Syndrome.ACK_NO_CREDIT);
            if (resource.isAtomic()) {
                packet.originalData(resource.originalData());
            }
            resource.sent(1);
            return true;
        }
        int count = resource.packetsToFetch(engine.mostPacketsOfRun());
        if (count == 1 && waitsForWords(resource)) {
            return false;
        }
        Opcode opcode = readResponse(resource.isFirstOfAnswer(), count == resource.packetsLeft());
        begin(packet, opcode, resource.nextPsn(), Syndrome.ACK_NO_CREDIT);
        packet.packets(count);
        Denial denial = fetch(resource, resource.nextPacket(), count, packet.payload());
        if (denial == null) {
            resource.sent(count);
            if (count > 1) {
                qp.device().counters().sentRun(count);
            }
            return true;
        }
        // Revoked while it was being answered: the READ fails where it is (N7), and what came after it is not answered.
        int psn = resource.nextPsn();
        if (last) {
            ResponderFailure.keepReason(qp, psn, denial);
        } else {
            responder.refuseResponse(psn, denial);
        }
        resources.clear();
        replyPsn = psn;
        replySyndrome = denial.syndrome();
        fillReply(packet);
        return true;
    }

    /** Whether the next packet of an answer has to wait until it is fetched in parts, which now begins if it has not (ORD-40). */
    private boolean waitsForWords(ResponderResource resource) {
        int packet = resource.nextPacket();
        if (words == null || resource.fetched(packet) != null || words.isOf(resource.nextPsn())) {
            return false;
        }
        int mtu = qp.pathMtuBytes();
        int psn = resource.nextPsn();
        long address = resource.addressOf(packet, mtu);
        int lengthBytes = resource.lengthBytesOf(packet, mtu, 1);
        if (denialOf(resource, address, lengthBytes) != null) {
            return false;
        }
        qp.sgeAccess().showBeforeRead(resource.remoteKey());
        return words.begin(
                psn,
                qp.sgeAccess().partsOf(resource.remoteKey(), address, lengthBytes),
                (offset, count, payload) -> fetchPart(resource, psn, address, offset, count, payload));
    }

    private @Nullable Denial fetchPart(
            ResponderResource resource, int psn, long address, int offset, int count, Payload payload) {
        Denial denial = denialOf(resource, address + offset, count);
        return denial == null
                ? qp.sgeAccess().fetchPart(resource.remoteKey(), address + offset, count, psn, offset, payload)
                : denial;
    }

    /**
     * A word is about to change by an ATOMIC_WRITE: what earlier READs are to return of it is fetched now, for they are not overtaken
     * (NW-01), and before that what READs before those are to return, unless that is too much to hold (ORD-12).
     *
     * @param word its address as the memory has it
     */
    void fetchBefore(long word) {
        List<ResponderResource> reads = resources.pending();
        reads.removeIf(resource -> !resource.isRead());
        while (!reads.isEmpty() && !touches(word, reads.get(reads.size() - 1))) {
            reads.remove(reads.size() - 1);
        }
        if (!reads.isEmpty()) {
            // Of a packet that is being fetched some parts may be missing, and would come too late.
            forgetWords();
        }
        long room = MOST_BYTES_AHEAD;
        for (int i = 0; i < reads.size(); i++) {
            if (i < reads.size() - 1) {
                room = fetchAll(reads.get(i), room);
            }
            fetchWord(word, reads.get(i));
        }
    }

    private long bytesLeft(ResponderResource resource) {
        return resource.lengthBytesOf(resource.nextPacket(), qp.pathMtuBytes(), resource.packetsLeft());
    }

    private boolean touches(long word, ResponderResource resource) {
        long first = qp.sgeAccess()
                .memoryAddressOf(resource.remoteKey(), resource.addressOf(resource.nextPacket(), qp.pathMtuBytes()));
        return first >= 0 && word + Long.BYTES > first && first + bytesLeft(resource) > word;
    }

    /** All that is left of it, if there is room; returns the room that is left. */
    private long fetchAll(ResponderResource resource, long room) {
        if (bytesLeft(resource) > room) {
            return 0;
        }
        int end = resource.nextPacket() + resource.packetsLeft();
        for (int packet = resource.nextPacket(); packet < end; packet++) {
            fetchAhead(resource, packet);
        }
        return room - bytesLeft(resource);
    }

    private void fetchWord(long word, ResponderResource resource) {
        if (!touches(word, resource)) {
            return;
        }
        int mtu = qp.pathMtuBytes();
        int packet = resource.nextPacket();
        long first = qp.sgeAccess().memoryAddressOf(resource.remoteKey(), resource.addressOf(packet, mtu));
        long from = Math.max(0, word - first);
        long last = Math.min(bytesLeft(resource), word + Long.BYTES - first) - 1;
        for (int each = packet + (int) (from / mtu); each <= packet + (int) (last / mtu); each++) {
            fetchAhead(resource, each);
        }
    }

    private void fetchAhead(ResponderResource resource, int packet) {
        Payload payload = new Payload();
        if (resource.fetched(packet) == null && fetch(resource, packet, 1, payload) == null) {
            qp.decided(Rule.NW_01);
            resource.fetched(packet, payload.toBytes());
        }
    }

    private @Nullable Denial fetch(ResponderResource resource, int from, int count, Payload payload) {
        int mtu = qp.pathMtuBytes();
        long address = resource.addressOf(from, mtu);
        int lengthBytes = resource.lengthBytesOf(from, mtu, count);
        Denial denial = denialOf(resource, address, lengthBytes);
        if (denial != null) {
            return denial;
        }
        byte[] before = resource.fetched(from);
        if (before != null) {
            payload.add(ByteBuffer.wrap(before), 0, before.length);
            return null;
        }
        return words != null && words.isOf(resource.psnOf(from)) && !words.isUnderWay()
                ? words.take(payload)
                : qp.sgeAccess().fetch(resource.remoteKey(), address, lengthBytes, resource.psnOf(from), payload);
    }

    private @Nullable Denial denialOf(ResponderResource resource, long address, int lengthBytes) {
        return denialOf(qp.keys(), qp.keys().target(resource.remoteKey()), resource, address, lengthBytes);
    }

    /** Why a READ that was accepted may not be answered any more; null if it may. */
    static @Nullable Denial denialOf(
            KeyTable keys, @Nullable RemoteTarget target, ResponderResource resource, long address, int lengthBytes) {
        Decision decision = AccessDecision.remoteKeyStill(
                keys,
                target,
                resource.user(),
                AccessOperation.RDMA_READ,
                address,
                lengthBytes,
                resource.remoteKey(),
                resource.binding());
        return decision instanceof Denial denial ? denial : null;
    }

    private void begin(Packet packet, Opcode opcode, int psn, int syndrome) {
        packet.begin(opcode, qp.destinationQp(), psn).answer(syndrome, responder.messageSequence);
    }
}
