// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.message.InboundMessage;
import dev.verbatim.device.message.InboundPacket;
import dev.verbatim.device.message.ReceiveCompletion;
import dev.verbatim.device.message.RequestLanding;
import dev.verbatim.device.message.RequestLength;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.operation.Effect;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages in, in the order of H.3, and never answers. A message of which a packet is missing, or is not as it should be, is
 * dropped: what is left of it is passed over until another one begins, whatever its PSN, and that one gets the receive (UC-01,
 * WC-50).
 *
 * <p>Where receives are shared, one that was taken cannot be left to others, so it completes with the reason of the drop.
 */
final class UcResponder {

    private final QpContext qp;
    private final RequestLanding landing;
    private final InboundMessage message;
    private final InboundPacket announced = new InboundPacket();

    /** Reads the packet that is being taken; null while one is. */
    private @Nullable InboundPacket spare = new InboundPacket();

    private int expectedPsn;

    UcResponder(QpContext qp) {
        this.qp = qp;
        this.landing = new RequestLanding(qp);
        this.message = new InboundMessage(qp.receives());
    }

    void begin() {
        message.end();
        expectedPsn = qp.attributes().rqPsn();
    }

    void stop() {
        message.end();
    }

    /** Whether the packet begins a message, or comes next in the one that is under way. */
    boolean expects(Packet packet) {
        announced.read(packet, packet.opcode(), 0);
        return isNext(announced);
    }

    private boolean isNext(InboundPacket in) {
        return in.startsMessage || (in.psn == expectedPsn && message.isContinuedBy(in));
    }

    /** Where the payload of a packet belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        announced.read(head, head.opcode(), payloadLengthBytes);
        return isNext(announced) && landing.find(announced, message, place);
    }

    /** Takes a packet, or a run of them; false if the run has to be taken packet by packet, and nothing was done. */
    boolean receive(Packet packet) {
        InboundPacket in = spare == null ? new InboundPacket() : spare;
        spare = null;
        in.read(packet, packet.opcode(), packet.payload().lengthBytes());
        boolean taken = take(in);
        spare = in;
        return taken;
    }

    private boolean take(InboundPacket in) {
        Packet packet = in.packet;
        qp.decided(Rule.H3_2);
        if (!isNext(in)) {
            missed(packet);
            return true;
        }
        if (in.startsMessage && message.kind != InboundMessage.Kind.NONE) {
            dropMessage("begins before the message under way has ended", packet);
        }
        Denial denial = check(in);
        if (denial != null && in.packets > 1) {
            message.receive = message.kind == InboundMessage.Kind.SEND ? message.receive : null;
            return false;
        }
        if (denial != null) {
            refuse(packet, denial);
        } else {
            execute(in);
        }
        return true;
    }

    /** Something is missing before this packet, or it belongs to a message that was dropped. */
    private void missed(Packet packet) {
        if (message.kind == InboundMessage.Kind.NONE) {
            qp.decided(Rule.UC_01);
            qp.dropped(packet, Rule.UC_01, "no message is under way that %s could belong to", packet.opcode());
        } else {
            dropMessage(
                    packet.psn() == expectedPsn
                            ? "does not continue the message under way"
                            : "follows a gap, for psn=" + expectedPsn + " comes next",
                    packet);
        }
    }

    private void dropMessage(String what, Packet packet) {
        qp.decided(Rule.UC_01);
        qp.dropped(packet, Rule.UC_01, "%s psn=%d %s: that message is dropped", packet.opcode(), packet.psn(), what);
        message.end();
    }

    /** Steps 4 to 7: null if the packet can be executed, and then its receive is found. */
    private @Nullable Denial check(InboundPacket in) {
        AccessOperation operation = AccessOperation.of(in.effect, in.packet);
        Denial denial = operation == null ? null : AccessDecision.queuePairRight(qp.accessFlags(), operation);
        if (denial == null) {
            denial = RequestLength.ofPacket(in, qp.pathMtuBytes());
        }
        if (denial == null) {
            denial = RequestLength.ofMessage(in, message.leftBytes);
        }
        if (denial == null) {
            denial = findReceive(in);
        }
        if (denial == null && in.effect == Effect.RECEIVE) {
            denial = checkRoom(in);
        }
        return denial != null || operation == null ? denial : checkKey(in, operation);
    }

    private @Nullable Denial findReceive(InboundPacket in) {
        boolean takes = in.effect == Effect.RECEIVE ? in.startsMessage : in.endsMessage && in.opcode.hasImmediate();
        if (!takes) {
            return null;
        }
        message.receives = qp.receives();
        message.receive = message.receives.oldest();
        return message.receive == null
                ? Denial.invalidRequest(Rule.UC_01, "no receive is posted for %s", in.opcode)
                : null;
    }

    private @Nullable Denial checkRoom(InboundPacket in) {
        ReceiveWqe receive = message.receive;
        long end = (in.startsMessage ? 0 : message.receivedBytes) + in.payloadBytes;
        return receive == null || end <= receive.elements().totalBytes()
                ? null
                : Denial.invalidRequest(
                        Rule.WC_50,
                        "message of at least %d bytes does not fit the receive wr_id=%d of %d bytes",
                        end,
                        receive.id(),
                        receive.elements().totalBytes());
    }

    private @Nullable Denial checkKey(InboundPacket in, AccessOperation operation) {
        KeyTable keys = qp.keys();
        if (in.startsMessage) {
            message.address = in.packet.remoteAddress();
            message.key = in.packet.remoteKey();
            message.leftBytes = Integer.toUnsignedLong(in.packet.dmaLengthBytes());
        }
        RemoteTarget target = keys.target(message.key);
        if (in.startsMessage) {
            message.binding = target == null ? -1 : target.binding();
        }
        QpIdentity user = qp.identity();
        Decision decision = in.startsMessage
                ? AccessDecision.remoteKey(
                        keys, target, user, operation, message.address, message.leftBytes, message.key)
                : AccessDecision.remoteKeyStill(
                        keys,
                        target,
                        user,
                        operation,
                        message.address,
                        message.leftBytes,
                        message.key,
                        message.binding);
        qp.windows().accessed(message.key, operation, decision);
        return decision instanceof Denial denial ? denial : null;
    }

    /** The message is dropped in silence. */
    private void refuse(Packet packet, Denial denial) {
        qp.decided(Rule.UC_01);
        qp.decided(Rule.WC_47);
        qp.decided(Rule.WC_50);
        qp.dropped(packet, denial.refusal());
        boolean taken = message.receive != null && message.receives.isShared();
        message.end();
        if (taken) {
            message.receives.take();
            message.receives.fail(statusOf(denial), denial.refusal());
        }
    }

    private static WcStatus statusOf(Denial denial) {
        return denial.syndrome() == Syndrome.NAK_REMOTE_ACCESS ? WcStatus.REM_ACCESS_ERR : WcStatus.REM_INV_REQ_ERR;
    }

    private void execute(InboundPacket in) {
        qp.decided(Rule.H3_8);
        qp.decided(Rule.ORD_11);
        if (in.startsMessage) {
            message.receivedBytes = 0;
        }
        Denial denial = in.effect == Effect.RECEIVE ? scatter(in) : place(in);
        if (denial != null) {
            return;
        }
        int count = in.payloadBytes;
        message.receivedBytes += count;
        expectedPsn = Psn.add(in.psn, in.packets);
        if (in.endsMessage) {
            complete(in.packet);
        }
    }

    private @Nullable Denial scatter(InboundPacket in) {
        message.kind = InboundMessage.Kind.SEND;
        ReceiveWqe receive = in.startsMessage ? message.receives.take() : message.receive;
        if (receive == null) {
            throw new IllegalStateException("a SEND under way has no receive");
        }
        message.receive = receive;
        Denial denial = in.startsMessage ? qp.sgeAccess().checkReceive(receive.elements()) : null;
        if (denial == null) {
            denial = qp.sgeAccess()
                    .scatter(
                            receive.elements(),
                            message.receivedBytes,
                            in.packet.payload(),
                            MemoryEffect.PLACED,
                            in.psn);
        }
        if (denial != null) {
            failLocally(denial.refusal());
        }
        return denial;
    }

    /** The receive itself is at fault: that is the program's own error, and ends the queue pair (WC-21, WC-47 class A). */
    private void failLocally(Refusal refusal) {
        qp.decided(Rule.WC_21);
        qp.decided(Rule.WC_47);
        message.end();
        qp.fail(refusal, () -> message.receives.fail(WcStatus.LOC_PROT_ERR, refusal));
    }

    private @Nullable Denial place(InboundPacket in) {
        message.kind = InboundMessage.Kind.RDMA_WRITE;
        Denial denial = qp.sgeAccess()
                .place(qp.keys().target(message.key), message.address, in.packet.payload(), message.key, in.psn);
        if (denial != null) {
            refuse(in.packet, denial);
            return denial;
        }
        int count = in.payloadBytes;
        message.address += count;
        message.leftBytes -= count;
        return null;
    }

    private void complete(Packet last) {
        boolean took = message.receive != null;
        message.end();
        if (took) {
            qp.decided(Rule.ORD_30);
            qp.decided(Rule.ORD_31);
            ReceiveCompletion.add(qp, message.receives, last, (int) message.receivedBytes);
        }
    }
}
