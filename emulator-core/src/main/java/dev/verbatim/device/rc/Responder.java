// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.message.InboundMessage;
import dev.verbatim.device.message.ReceiveCompletion;
import dev.verbatim.device.message.RequestLanding;
import dev.verbatim.device.message.RequestLength;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveStatuses;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.PsnClass;
import dev.verbatim.wire.Syndrome;

/**
 * Takes requests in, in the order of H.3: each {@link ResponderStep} is one function that says which step comes next. The first
 * step of H.3, whether the packet is for this queue pair at all, was taken before.
 */
final class Responder {

    private final QpContext qp;
    private final ResponderOutbox outbox;
    private final ResponderResources resources = new ResponderResources();
    private final ResponderFailure failure;
    private final RepeatedRequests repeated;
    private final RequestLanding landing;
    private final AnsweredRequests answered;
    private int expectedPsn;
    private boolean begun;
    private int messageSequence;
    private boolean silentUntilExpected;
    private final InboundMessage message;

    /** Whether a tap receives events of the packet that is being taken. */
    private boolean traced;

    Responder(QpContext qp, RcEngine engine) {
        this.qp = qp;
        this.outbox = new ResponderOutbox(qp, engine, this, resources);
        this.failure = new ResponderFailure(qp, outbox, resources);
        this.repeated = new RepeatedRequests(qp, this, outbox, resources);
        this.landing = new RequestLanding(qp);
        this.answered = new AnsweredRequests(qp, outbox, resources);
        this.message = new InboundMessage(qp.receives());
    }

    /** The queue pair may receive from now on, beginning with the PSN of its attributes. */
    void begin() {
        stop();
        expectedPsn = qp.attributes().rqPsn();
        begun = false;
        messageSequence = 0;
        resources.resize(qp.attributes().maxDestRdAtomic());
    }

    /** The number of responder resources was changed. */
    void resize() {
        resources.resize(qp.attributes().maxDestRdAtomic());
    }

    /** Forgets all that is unfinished. */
    void stop() {
        silentUntilExpected = false;
        message.end();
        resources.clear();
        outbox.clear();
    }

    ResponderOutbox outbox() {
        return outbox;
    }

    int messageSequence() {
        return messageSequence;
    }

    boolean expects(int psn) {
        return psn == expectedPsn;
    }

    /** Where the payload of a request belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        return expects(head.psn())
                && message.isContinuedBy(head.opcode())
                && landing.find(head, payloadLengthBytes, message, place);
    }

    /** Takes a request, or a run of its packets; false if the run has to be taken packet by packet, and nothing was done. */
    boolean receive(Packet packet) {
        traced = qp.device().isTraced();
        ResponderStep step = ResponderStep.PSN;
        while (step != ResponderStep.DONE && step != ResponderStep.IN_PARTS) {
            ResponderStep next = take(step, packet);
            if (traced && (next == ResponderStep.DONE || step == ResponderStep.EXECUTE)) {
                qp.decided(step.rule());
            }
            step = next;
        }
        return step == ResponderStep.DONE;
    }

    private ResponderStep take(ResponderStep step, Packet packet) {
        return switch (step) {
            case PSN -> classify(packet);
            case OPCODE_SEQUENCE -> checkSequence(packet);
            case OPERATION -> checkOperation(packet);
            case LENGTH -> checkLength(packet);
            case RESOURCES -> checkResources(packet);
            case KEY -> checkKey(packet);
            case EXECUTE -> execute(packet);
            case ACKNOWLEDGE -> acknowledge(packet);
            case REPEATED -> answerRepeated(packet);
            case DONE, IN_PARTS -> step;
        };
    }

    private ResponderStep classify(Packet packet) {
        PsnClass psnClass = Psn.classify(packet.psn(), expectedPsn);
        boolean invalidatesBehindOthers =
                packet.packets() > 1 && packet.opcode().has(Header.IETH);
        if (psnClass == PsnClass.EXPECTED && !invalidatesBehindOthers) {
            silentUntilExpected = false;
            return ResponderStep.OPCODE_SEQUENCE;
        }
        if (packet.packets() > 1) {
            return ResponderStep.IN_PARTS;
        }
        qp.decided(Rule.PSN_01);
        if (psnClass == PsnClass.DUPLICATE) {
            return ResponderStep.REPEATED;
        }
        qp.decided(Rule.PSN_02);
        qp.decided(Rule.AE_22);
        if (!silentUntilExpected) {
            silentUntilExpected = true;
            outbox.reply(expectedPsn, Syndrome.NAK_PSN_SEQUENCE);
        }
        qp.dropped(packet, Rule.PSN_02, "psn=%d is ahead of the expected %d", packet.psn(), expectedPsn);
        return ResponderStep.DONE;
    }

    private ResponderStep checkSequence(Packet packet) {
        Opcode opcode = packet.opcode();
        if (message.isContinuedBy(opcode)) {
            return ResponderStep.OPERATION;
        }
        return refuse(
                packet,
                Denial.invalidRequest(Rule.WC_28, "%s does not follow %s", opcode, message.kind),
                WcStatus.LOC_QP_OP_ERR,
                EventType.QP_REQ_ERR);
    }

    @SuppressWarnings("ReferenceEquality") // a source of receives is its identity
    private ResponderStep checkOperation(Packet packet) {
        Opcode opcode = packet.opcode();
        ReceiveSource receives = qp.receives().of(packet);
        if (receives == null || (receives != message.receives && !opcode.startsMessage())) {
            return refuseReceiveQueue(packet);
        }
        message.receives = receives;
        Denial unknown = answered.unknown(packet);
        if (unknown != null) {
            return refuse(packet, unknown, WcStatus.LOC_QP_OP_ERR, EventType.QP_REQ_ERR);
        }
        AccessOperation operation = AccessOperation.of(packet);
        message.operation = operation;
        if (operation == null) {
            return ResponderStep.LENGTH;
        }
        Denial denial = AccessDecision.queuePairRight(qp.attributes().accessFlags(), operation);
        if (denial == null) {
            return ResponderStep.LENGTH;
        }
        qp.windows().accessed(packet.remoteKey(), operation, 0, denial);
        if (operation == AccessOperation.ATOMIC) {
            qp.decided(Rule.WR_38);
        }
        return refuse(packet, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep refuseReceiveQueue(Packet packet) {
        if (message.receives.oldestOwn() == null) {
            // What the message had taken went with its queue.
            message.receive = null;
        }
        return refuse(
                packet,
                Denial.invalidRequest(
                        Rule.XRC_01,
                        "%s names srq %d, which is not the message's, or not in the XRC domain of qp %d",
                        packet.opcode(),
                        packet.srqNumber(),
                        qp.number()),
                WcStatus.LOC_QP_OP_ERR,
                EventType.QP_REQ_ERR);
    }

    private ResponderStep checkLength(Packet packet) {
        Denial denial = RequestLength.ofPacket(packet, packet.payload().lengthBytes(), qp.pathMtuBytes());
        if (denial != null) {
            return refuse(packet, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_REQ_ERR);
        }
        denial = RequestLength.ofMessage(packet, packet.payload().lengthBytes(), message.leftBytes);
        return denial == null
                ? ResponderStep.RESOURCES
                : refuse(packet, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep checkResources(Packet packet) {
        Opcode opcode = packet.opcode();
        if (AnsweredRequests.are(opcode)) {
            Denial denial = answered.lackOfResources(packet);
            return denial == null
                    ? ResponderStep.KEY
                    : refuse(packet, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
        }
        boolean takesReceive =
                (opcode.kind() == Opcode.Kind.SEND && opcode.startsMessage()) || endsWithImmediateWrite(opcode);
        if (!takesReceive) {
            return ResponderStep.KEY;
        }
        message.receive = message.receives.oldest();
        if (message.receive != null) {
            return ResponderStep.KEY;
        }
        if (packet.packets() > 1) {
            return ResponderStep.IN_PARTS;
        }
        qp.decided(Rule.PR_02);
        qp.decided(Rule.WC_47);
        qp.decided(Rule.AE_22);
        qp.decided(Rule.RT_04);
        qp.decided(Rule.RT_06);
        if (opcode.has(Header.IETH)) {
            qp.decided(Rule.MW_87);
        }
        silentUntilExpected = true;
        outbox.reply(expectedPsn, Syndrome.rnr(qp.attributes().minRnrTimer()));
        qp.dropped(packet, Rule.WC_22, "no receive is posted");
        return ResponderStep.DONE;
    }

    private static boolean endsWithImmediateWrite(Opcode opcode) {
        return opcode.kind() == Opcode.Kind.RDMA_WRITE && opcode.hasImmediate();
    }

    private ResponderStep checkKey(Packet packet) {
        Opcode opcode = packet.opcode();
        AccessOperation operation = message.operation;
        if (operation == null) {
            return ResponderStep.EXECUTE;
        }
        if (opcode.startsMessage()) {
            message.address = packet.remoteAddress();
            message.key = packet.remoteKey();
            message.leftBytes = Integer.toUnsignedLong(packet.dmaLengthBytes());
            message.binding = qp.keys().bindingOf(message.key);
            answered.scope(packet, message);
            if (!opcode.endsMessage()) {
                // The whole of it now, though only its first packet is there.
                qp.decided(Rule.MW_110);
            }
        }
        long lengthBytes = message.leftBytes;
        if (lengthBytes == 0 && opcode.kind() != Opcode.Kind.FLUSH) {
            qp.decided(Rule.MR_31);
        }
        // On every packet, not only the first: what was revoked meanwhile is not touched again (MW-92).
        KeyTable keys = qp.keys();
        QpIdentity user = message.receives.user();
        Denial denial = opcode.startsMessage()
                ? AccessDecision.remoteKey(keys, user, operation, message.address, lengthBytes, message.key)
                : AccessDecision.remoteKeyStill(
                        keys, user, operation, message.address, lengthBytes, message.key, message.binding);
        qp.windows().accessed(message.key, operation, lengthBytes, denial);
        if (denial == null) {
            return ResponderStep.EXECUTE;
        }
        decidedKey(denial);
        return refuse(packet, denial, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
    }

    /** Alignment, key with a receive to report on, or key alone: three rows of the table of causes. */
    private void decidedKey(Denial denial) {
        if (denial.syndrome() == Syndrome.NAK_INVALID_REQUEST) {
            qp.decided(Rule.WC_26);
        } else if (message.receive == null) {
            qp.decided(Rule.WC_23);
        } else {
            qp.decided(Rule.WC_24);
            qp.decided(Rule.WC_48);
        }
    }

    private ResponderStep execute(Packet packet) {
        // Packets come here in PSN order and take effect at once; only the answer to a READ is fetched later.
        if (traced) {
            qp.decided(Rule.ORD_01);
            qp.decided(Rule.ORD_11);
        }
        return switch (packet.opcode().kind()) {
            case SEND -> executeSend(packet);
            case RDMA_WRITE -> executeWrite(packet);
            default -> executeAnswered(packet);
        };
    }

    private ResponderStep executeSend(Packet packet) {
        ReceiveWqe receive = message.receive;
        if (receive == null) {
            return ResponderStep.DONE;
        }
        if (packet.opcode().startsMessage()) {
            receive = message.receives.take();
            message.receive = receive;
            message.receivedBytes = 0;
            qp.decided(Rule.ORD_30);
        }
        long end = message.receivedBytes + packet.payload().lengthBytes();
        if (end > receive.elements().totalBytes()) {
            return refuse(
                    packet,
                    ReceiveStatuses.tooLong(
                            qp.device().profile().completions(),
                            Refusal.of(
                                    Rule.WC_20,
                                    "message of at least %d bytes does not fit the receive wr_id=%d of %d bytes",
                                    end,
                                    receive.id(),
                                    receive.elements().totalBytes())),
                    WcStatus.LOC_LEN_ERR,
                    EventType.QP_ACCESS_ERR);
        }
        Denial denial = packet.opcode().startsMessage() ? qp.sgeAccess().checkReceive(receive.elements()) : null;
        if (denial == null) {
            denial = qp.sgeAccess()
                    .scatter(
                            receive.elements(),
                            message.receivedBytes,
                            packet.payload(),
                            MemoryEffect.PLACED,
                            packet.psn());
        }
        if (denial != null) {
            qp.decided(Rule.WC_21);
            return refuse(
                    packet, Denial.remoteOperational(denial.refusal()), WcStatus.LOC_PROT_ERR, EventType.QP_ACCESS_ERR);
        }
        message.receivedBytes = end;
        message.kind = InboundMessage.Kind.SEND;
        qp.decided(Rule.WR_43);
        return ResponderStep.ACKNOWLEDGE;
    }

    private ResponderStep executeWrite(Packet packet) {
        int count = packet.payload().lengthBytes();
        if (packet.opcode().startsMessage()) {
            message.receivedBytes = 0;
        }
        Denial denial = qp.sgeAccess().place(message.key, message.address, packet.payload(), packet.psn());
        if (denial != null) {
            return refuse(packet, denial, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
        }
        message.receivedBytes += count;
        message.address += count;
        message.leftBytes -= count;
        message.kind = InboundMessage.Kind.RDMA_WRITE;
        return ResponderStep.ACKNOWLEDGE;
    }

    private ResponderStep executeAnswered(Packet packet) {
        Denial denial = answered.execute(packet, message);
        return denial == null
                ? ResponderStep.ACKNOWLEDGE
                : refuse(packet, denial, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep acknowledge(Packet packet) {
        begun = true;
        Opcode opcode = packet.opcode();
        if (AnsweredRequests.are(opcode)) {
            // The response acknowledges everything before it.
            outbox.respond();
            expectedPsn = Psn.add(expectedPsn, answered.packetsOf(packet));
            countMessage();
            return ResponderStep.DONE;
        }
        if (opcode.has(Header.IETH) && !invalidate(packet)) {
            return ResponderStep.DONE;
        }
        expectedPsn = Psn.add(expectedPsn, packet.packets());
        if (opcode.endsMessage()) {
            countMessage();
            message.kind = InboundMessage.Kind.NONE;
            completeReceive(packet);
        }
        if (packet.ackRequest()) {
            if (traced) {
                qp.decided(Rule.ACK_04);
            }
            outbox.reply(Psn.add(expectedPsn, -1), Syndrome.ACK_NO_CREDIT);
        }
        return ResponderStep.DONE;
    }

    /** All else is done and in place: the invalidation comes last, and before the completion (MW-84). */
    private boolean invalidate(Packet packet) {
        Refusal refusal = qp.windows()
                .invalidateForPeer(packet.invalidateKey(), qp.attributes().destinationQp());
        if (refusal == null) {
            return true;
        }
        message.receive = null;
        failure.ofInvalidation(message.receives, packet, refusal);
        return false;
    }

    private void countMessage() {
        if (traced) {
            qp.decided(Rule.ACK_05);
        }
        messageSequence = Psn.next(messageSequence);
    }

    private void completeReceive(Packet packet) {
        if (message.receive == null) {
            return;
        }
        message.receive = null;
        qp.decided(Rule.ORD_31);
        if (resources.oldestPending() != null) {
            qp.decided(Rule.ORD_32);
        }
        ReceiveCompletion.add(qp, message.receives, packet, (int) message.receivedBytes);
    }

    private ResponderStep answerRepeated(Packet packet) {
        if (!begun) {
            // An ACK of what was never taken could meet a request that the peer counts from another number.
            qp.dropped(
                    packet, Rule.PSN_05, "psn=%d is before rq_psn=%d, and nothing came yet", packet.psn(), expectedPsn);
            return ResponderStep.DONE;
        }
        repeated.answer(packet, expectedPsn);
        return ResponderStep.DONE;
    }

    /**
     * Answers with a NAK and ends the queue pair. The reason shows in the completion of the receive that the message
     * took, or else in an event (AE-21).
     */
    private ResponderStep refuse(Packet packet, Denial denial, WcStatus receiveStatus, EventType event) {
        if (packet.packets() > 1) {
            message.receive = message.kind == InboundMessage.Kind.SEND ? message.receive : null;
            return ResponderStep.IN_PARTS;
        }
        if (event == EventType.QP_REQ_ERR) {
            qp.decided(Rule.WC_28);
        }
        boolean tellsByReceive = message.receive != null && !keepsReceive(packet);
        message.receive = null;
        if (tellsByReceive) {
            // If it is shared it becomes the queue pair's own while that may still take any (WC-06, QP-25).
            ReceiveWqe unused = message.receives.take();
            failure.withReceive(message.receives, packet.psn(), denial, receiveStatus);
        } else {
            failure.withEvent(packet.psn(), denial, event);
        }
        return ResponderStep.DONE;
    }

    /** The receive of a WRITE that is refused may be left for the others to be flushed with (N16). */
    private boolean keepsReceive(Packet packet) {
        return packet.opcode().kind() == Opcode.Kind.RDMA_WRITE
                && qp.device().choose(ChoicePoint.REFUSED_RECEIVE_KEPT, 2) == 1;
    }

    /** A READ that was accepted cannot be answered any more; no receive is to blame, so the reason is an event. */
    void refuseResponse(int psn, Denial denial) {
        failure.withEvent(psn, denial, EventType.QP_ACCESS_ERR);
    }
}
