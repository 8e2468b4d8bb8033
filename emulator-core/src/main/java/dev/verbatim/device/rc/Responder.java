// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.message.InboundMessage;
import dev.verbatim.device.message.InboundPacket;
import dev.verbatim.device.message.ReceiveCompletion;
import dev.verbatim.device.message.RequestLanding;
import dev.verbatim.device.message.RequestLength;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveStatuses;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.operation.Effect;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.DeviceCounter;
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
import org.jspecify.annotations.Nullable;

/**
 * Takes requests in, in the order of H.3: each {@link ResponderStep} is one function that says which step comes next. The first
 * step of H.3, whether the packet is for this queue pair at all, was taken before.
 */
final class Responder {

    private final QpContext qp;
    private final DeviceContext device;
    private final KeyTable keys;
    private final SgeAccess memory;
    private final ResponderOutbox outbox;
    final ResponderResources resources = new ResponderResources();
    private final ResponderFailure failure;
    private final RepeatedRequests repeated;
    private final RequestLanding landing;
    private final AnsweredRequests answered;
    private int expectedPsn;
    private boolean begun;
    int messageSequence;
    private boolean silentUntilExpected;
    final InboundMessage message;

    /** Reads the packet that is being taken; null while one is. */
    private @Nullable InboundPacket spare = new InboundPacket();

    private final InboundPacket announced = new InboundPacket();

    /** Whether a tap receives events of the packet that is being taken. */
    private boolean traced;

    Responder(QpContext qp, RcEngine engine) {
        this.qp = qp;
        this.device = qp.device();
        this.keys = qp.keys();
        this.memory = qp.sgeAccess();
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

    int expectedPsn() {
        return expectedPsn;
    }

    boolean expects(int psn) {
        return psn == expectedPsn;
    }

    /** The message that was expected was of one packet and was executed on the fast path. */
    void executed() {
        begun = true;
        silentUntilExpected = false;
        expectedPsn = Psn.next(expectedPsn);
        messageSequence = Psn.next(messageSequence);
    }

    /** Where the payload of a request belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        announced.read(head, head.opcode(), payloadLengthBytes);
        return expects(announced.psn) && message.isContinuedBy(announced) && landing.find(announced, message, place);
    }

    /** Takes a request, or a run of its packets; false if the run has to be taken packet by packet, and nothing was done. */
    boolean receive(Packet packet, Opcode opcode) {
        // A tap may close a device, which gives a last packet while this one is taken.
        InboundPacket in = spare == null ? new InboundPacket() : spare;
        spare = null;
        in.read(packet, opcode, packet.payload().lengthBytes());
        traced = device.isTraced();
        ResponderStep step = ResponderStep.PSN;
        while (step != ResponderStep.DONE && step != ResponderStep.IN_PARTS) {
            ResponderStep next = switch (step) {
                case PSN -> classify(in);
                case OPCODE_SEQUENCE -> checkSequence(in);
                case OPERATION -> checkOperation(in);
                case LENGTH -> checkLength(in);
                case RESOURCES -> checkResources(in);
                case KEY -> checkKey(in);
                case EXECUTE -> execute(in);
                case ACKNOWLEDGE -> acknowledge(in);
                case REPEATED -> answerRepeated(packet);
                case DONE, IN_PARTS -> step;
            };
            if (traced && (next == ResponderStep.DONE || step == ResponderStep.EXECUTE)) {
                qp.decided(step.rule());
            }
            step = next;
        }
        message.target = null;
        spare = in;
        return step == ResponderStep.DONE;
    }

    private ResponderStep classify(InboundPacket in) {
        PsnClass psnClass = Psn.classify(in.psn, expectedPsn);
        boolean invalidatesBehindOthers = in.packets > 1 && in.opcode.has(Header.IETH);
        if (psnClass == PsnClass.EXPECTED && !invalidatesBehindOthers) {
            silentUntilExpected = false;
            return ResponderStep.OPCODE_SEQUENCE;
        }
        if (in.packets > 1) {
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
            qp.trace().count(DeviceCounter.OUT_OF_SEQ_REQUEST);
            outbox.reply(expectedPsn, Syndrome.NAK_PSN_SEQUENCE);
        }
        qp.dropped(in.packet, Rule.PSN_02, "psn=%d is ahead of the expected %d", in.psn, expectedPsn);
        return ResponderStep.DONE;
    }

    private ResponderStep checkSequence(InboundPacket in) {
        if (message.isContinuedBy(in)) {
            return ResponderStep.OPERATION;
        }
        return refuse(
                in,
                Denial.invalidRequest(Rule.WC_28, "%s does not follow %s", in.opcode, message.kind),
                WcStatus.LOC_QP_OP_ERR,
                EventType.QP_REQ_ERR);
    }

    @SuppressWarnings("ReferenceEquality") // a source of receives is its identity
    private ResponderStep checkOperation(InboundPacket in) {
        ReceiveSource receives = qp.receives().of(in.packet);
        if (receives == null || (receives != message.receives && !in.startsMessage)) {
            return refuseReceiveQueue(in);
        }
        message.receives = receives;
        Denial unknown = in.isAnswered || in.opcode.has(Header.IETH) ? answered.unknown(in.packet) : null;
        if (unknown != null) {
            return refuse(in, unknown, WcStatus.LOC_QP_OP_ERR, EventType.QP_REQ_ERR);
        }
        AccessOperation operation = AccessOperation.of(in.effect, in.packet);
        message.operation = operation;
        if (operation == null) {
            return ResponderStep.LENGTH;
        }
        Denial denial = AccessDecision.queuePairRight(qp.accessFlags(), operation);
        if (denial == null) {
            return ResponderStep.LENGTH;
        }
        qp.windows().accessed(in.packet.remoteKey(), operation, denial);
        if (operation == AccessOperation.ATOMIC) {
            qp.decided(Rule.WR_38);
        }
        return refuse(in, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep refuseReceiveQueue(InboundPacket in) {
        if (message.receives.oldestOwn() == null) {
            // What the message had taken went with its queue.
            message.receive = null;
        }
        return refuse(
                in,
                Denial.invalidRequest(
                        Rule.XRC_01,
                        "%s names srq %d, which is not the message's, or not in the XRC domain of qp %d",
                        in.opcode,
                        in.packet.srqNumber(),
                        qp.number()),
                WcStatus.LOC_QP_OP_ERR,
                EventType.QP_REQ_ERR);
    }

    private ResponderStep checkLength(InboundPacket in) {
        Denial denial = RequestLength.ofPacket(in, qp.pathMtuBytes());
        if (denial != null) {
            return refuse(in, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_REQ_ERR);
        }
        denial = RequestLength.ofMessage(in, message.leftBytes);
        return denial == null
                ? ResponderStep.RESOURCES
                : refuse(in, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep checkResources(InboundPacket in) {
        if (in.isAnswered) {
            Denial denial = answered.lackOfResources(in.packet);
            return denial == null
                    ? ResponderStep.KEY
                    : refuse(in, denial, WcStatus.LOC_QP_OP_ERR, EventType.QP_ACCESS_ERR);
        }
        boolean takesReceive = (in.effect == Effect.RECEIVE && in.startsMessage)
                || (in.effect == Effect.WRITE && in.opcode.hasImmediate());
        if (!takesReceive) {
            return ResponderStep.KEY;
        }
        message.receive = message.receives.oldest();
        if (message.receive != null) {
            return ResponderStep.KEY;
        }
        if (in.packets > 1) {
            return ResponderStep.IN_PARTS;
        }
        qp.decided(Rule.PR_02);
        qp.decided(Rule.WC_47);
        qp.decided(Rule.AE_22);
        qp.decided(Rule.RT_04);
        qp.decided(Rule.RT_06);
        if (in.opcode.has(Header.IETH)) {
            qp.decided(Rule.MW_87);
        }
        silentUntilExpected = true;
        qp.trace().receiverNotReady();
        outbox.reply(expectedPsn, Syndrome.rnr(qp.attributes().minRnrTimer()));
        qp.passedOver(in.packet, Rule.WC_22, "no receive is posted");
        return ResponderStep.DONE;
    }

    private ResponderStep checkKey(InboundPacket in) {
        AccessOperation operation = message.operation;
        if (operation == null) {
            return ResponderStep.EXECUTE;
        }
        if (in.startsMessage) {
            message.address = in.packet.remoteAddress();
            message.key = in.packet.remoteKey();
            message.leftBytes = Integer.toUnsignedLong(in.packet.dmaLengthBytes());
            message.target = keys.target(message.key);
            message.binding = message.target == null ? -1 : message.target.binding();
            if (in.isAnswered) {
                answered.scope(in.packet, message);
            }
            if (!in.endsMessage) {
                // The whole of it now, though only its first packet is there.
                qp.decided(Rule.MW_110);
            }
        }
        long lengthBytes = message.leftBytes;
        // On every packet, not only the first: what was revoked meanwhile is not touched again (MW-92).
        RemoteTarget target = in.startsMessage && !traced ? message.target : keys.target(message.key);
        message.target = target;
        QpIdentity user = message.receives.user();
        Decision decision = in.startsMessage
                ? AccessDecision.remoteKey(keys, target, user, operation, message.address, lengthBytes, message.key)
                : AccessDecision.remoteKeyStill(
                        keys, target, user, operation, message.address, lengthBytes, message.key, message.binding);
        if (traced) {
            qp.windows().accessed(message.key, operation, decision);
        }
        if (!(decision instanceof Denial denial)) {
            return ResponderStep.EXECUTE;
        }
        failure.decidedKey(denial, message.receive != null);
        Denial explained = qp.trace().keyRefused(message.key, in.psn, denial);
        return refuse(in, explained, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep execute(InboundPacket in) {
        // Packets come here in PSN order and take effect at once; only the answer to a READ is fetched later.
        if (traced) {
            qp.decided(Rule.ORD_01);
            qp.decided(Rule.ORD_11);
        }
        return switch (in.effect) {
            case RECEIVE -> executeSend(in);
            case WRITE -> executeWrite(in);
            case READ, ATOMIC, ATOMIC_WRITE, FLUSH -> executeAnswered(in);
            case BIND, INVALIDATE, NOTHING -> throw new IllegalStateException(in.opcode + " is no request");
        };
    }

    private ResponderStep executeSend(InboundPacket in) {
        ReceiveWqe receive = message.receive;
        if (receive == null) {
            return ResponderStep.DONE;
        }
        if (in.startsMessage) {
            receive = message.receives.take();
            message.receive = receive;
            message.receivedBytes = 0;
            qp.decided(Rule.ORD_30);
        }
        long end = message.receivedBytes + in.payloadBytes;
        if (end > receive.elements().totalBytes()) {
            return refuse(
                    in,
                    ReceiveStatuses.tooLong(
                            device.profile().completions(),
                            Refusal.of(
                                    Rule.WC_20,
                                    "message of at least %d bytes does not fit the receive wr_id=%d of %d bytes",
                                    end,
                                    receive.id(),
                                    receive.elements().totalBytes())),
                    WcStatus.LOC_LEN_ERR,
                    EventType.QP_ACCESS_ERR);
        }
        Denial denial = in.startsMessage ? memory.checkReceive(receive.elements()) : null;
        if (denial == null) {
            denial = memory.scatter(
                    receive.elements(), message.receivedBytes, in.packet.payload(), MemoryEffect.PLACED, in.psn);
        }
        if (denial != null) {
            qp.decided(Rule.WC_21);
            return refuse(
                    in, Denial.remoteOperational(denial.refusal()), WcStatus.LOC_PROT_ERR, EventType.QP_ACCESS_ERR);
        }
        message.receivedBytes = end;
        message.kind = InboundMessage.Kind.SEND;
        qp.decided(Rule.WR_43);
        return ResponderStep.ACKNOWLEDGE;
    }

    private ResponderStep executeWrite(InboundPacket in) {
        int count = in.payloadBytes;
        if (in.startsMessage) {
            message.receivedBytes = 0;
        }
        // A tap may have revoked the key since it was checked.
        RemoteTarget target = traced ? keys.target(message.key) : message.target;
        Denial denial = memory.place(target, message.address, in.packet.payload(), message.key, in.psn);
        if (denial != null) {
            return refuse(in, denial, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
        }
        message.receivedBytes += count;
        message.address += count;
        message.leftBytes -= count;
        message.kind = InboundMessage.Kind.RDMA_WRITE;
        return ResponderStep.ACKNOWLEDGE;
    }

    private ResponderStep executeAnswered(InboundPacket in) {
        Denial denial = answered.execute(in.packet, message);
        return denial == null
                ? ResponderStep.ACKNOWLEDGE
                : refuse(in, denial, WcStatus.LOC_ACCESS_ERR, EventType.QP_ACCESS_ERR);
    }

    private ResponderStep acknowledge(InboundPacket in) {
        begun = true;
        if (in.isAnswered) {
            // The response acknowledges everything before it.
            outbox.respond();
            expectedPsn = Psn.add(expectedPsn, answered.packetsOf(in.packet));
            countMessage();
            return ResponderStep.DONE;
        }
        if (in.effect == Effect.RECEIVE && in.opcode.has(Header.IETH) && !invalidate(in.packet)) {
            return ResponderStep.DONE;
        }
        expectedPsn = Psn.add(expectedPsn, in.packets);
        if (in.endsMessage) {
            countMessage();
            message.kind = InboundMessage.Kind.NONE;
            completeReceive(in.packet);
        }
        if (in.packet.ackRequest()) {
            if (traced) {
                qp.decided(Rule.ACK_04);
            }
            outbox.reply(Psn.add(expectedPsn, -1), Syndrome.ACK_NO_CREDIT);
        }
        return ResponderStep.DONE;
    }

    /** All else is done and in place: the invalidation comes last, and before the completion (MW-84). */
    private boolean invalidate(Packet packet) {
        Refusal refusal = qp.windows().invalidateForPeer(packet.invalidateKey(), qp.destinationQp());
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
        repeated.take(packet, begun, expectedPsn);
        return ResponderStep.DONE;
    }

    /**
     * Answers with a NAK and ends the queue pair. The reason shows in the completion of the receive that the message
     * took, or else in an event (AE-21).
     */
    private ResponderStep refuse(InboundPacket in, Denial denial, WcStatus receiveStatus, EventType event) {
        if (in.packets > 1) {
            message.receive = message.kind == InboundMessage.Kind.SEND ? message.receive : null;
            return ResponderStep.IN_PARTS;
        }
        if (event == EventType.QP_REQ_ERR) {
            qp.decided(Rule.WC_28);
        }
        boolean tellsByReceive = message.receive != null && !keepsReceive(in);
        message.receive = null;
        if (tellsByReceive) {
            // If it is shared it becomes the queue pair's own while that may still take any (WC-06, QP-25).
            ReceiveWqe unused = message.receives.take();
            failure.withReceive(message.receives, in.psn, denial, receiveStatus);
        } else {
            failure.withEvent(in.psn, denial, event);
        }
        return ResponderStep.DONE;
    }

    /** The receive of a WRITE that is refused may be left for the others to be flushed with (N16). */
    private boolean keepsReceive(InboundPacket in) {
        return in.effect == Effect.WRITE && device.choose(ChoicePoint.REFUSED_RECEIVE_KEPT, 2) == 1;
    }

    /** A READ that was accepted cannot be answered any more; no receive is to blame, so the reason is an event. */
    void refuseResponse(int psn, Denial denial) {
        failure.withEvent(psn, denial, EventType.QP_ACCESS_ERR);
    }
}
