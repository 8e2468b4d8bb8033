// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.rnr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.XrcDomain;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import dev.verbatim.wire.Transport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** XRC on the wire: what the two ends say, and what they do not listen to (XRC-01). */
class XrcPacketsTest {

    private static final RcConnection.Endpoint THERE = new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0);

    @AutoClose
    private final Dialogue peer = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);

    private final XrcDomain domain = peer.side.device.openXrcDomain();
    private final SharedReceiveQueue srq = newQueue();
    private final QueuePair receiver = domain.createQp(QpInitAttributes.xrcReceive());
    private final QueuePair sender =
            peer.side.pd.createQp(QpInitAttributes.xrcSend(peer.side.sendCq, QpCapabilities.USUAL));

    @BeforeEach
    void connect() {
        for (QueuePair each : new QueuePair[] {sender, receiver}) {
            Dialogue.USUAL.readyToReceive(each, THERE);
            Dialogue.USUAL.readyToSend(each, 0);
        }
    }

    private SharedReceiveQueue newQueue() {
        return peer.side.pd.createSrq(SrqInitAttributes.xrc(8, domain, peer.side.recvCq));
    }

    private static Packet xrc(Packet packet) {
        Packet made = new Packet().begin(packet.opcode().over(Transport.XRC)).psn(packet.psn());
        made.ackRequest(packet.ackRequest()).syndrome(packet.syndrome());
        made.payload().addRange(packet.payload(), 0, packet.payload().lengthBytes());
        return made;
    }

    private void sends(QueuePair to, Packet packet, int srqNumber) {
        peer.sends(xrc(packet).srqNumber(srqNumber).destQp(to.number()));
    }

    private void sendsFirst() {
        sends(receiver, packet(Opcode.SEND_FIRST, 0, pattern(3, MTU)), srq.number());
    }

    @Test
    @Rule({"XRC-01", "ACK-06"})
    void requestsNameTheQueueAndAnswersDoNot() {
        sender.postSend(SendWorkRequest.send(1, peer.side.sge(0, MTU + 8)).toSrq(0xabc));
        Packet first = xrc(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU))).srqNumber(0xabc);
        Packet last = xrc(packet(Opcode.SEND_LAST, 1, pattern(MTU, 8)).ackRequest(true))
                .srqNumber(0xabc);
        peer.expects(first, last);
        peer.sends(xrc(ack(1)).destQp(sender.number()));
        assertThat(peer.sent()).isSuccess().hasId(1);

        sends(receiver, packet(Opcode.SEND_ONLY, 0, pattern(0, 8)), srq.number());
        peer.expects(xrc(rnr(0, Dialogue.USUAL.minRnrTimer())));
        srq.postRecv(ReceiveWorkRequest.of(1, peer.side.sge(1000, 8)));
        sends(receiver, packet(Opcode.SEND_ONLY, 0, pattern(0, 8)).ackRequest(true), srq.number());
        // Without credit information: the queue is not this connection's alone.
        peer.expects(xrc(nak(0, Syndrome.ACK_NO_CREDIT))).remembers(1000, pattern(0, 8));
        assertThat(peer.received()).isSuccess().hasId(1);
    }

    @Test
    @Rule({"XRC-01", "DUP-02"})
    void readThatIsAskedForAgainIsReadInTheDomainOfItsQueue() {
        for (int i = 0; i < 2; i++) {
            Packet request = readRequest(0, peer.side.address(0), peer.side.rkey(), 8);
            peer.sends(new Packet()
                    .begin(Opcode.XRC_RDMA_READ_REQUEST)
                    .remoteAddress(request.remoteAddress())
                    .remoteKey(request.remoteKey())
                    .dmaLengthBytes(8)
                    .srqNumber(srq.number())
                    .destQp(receiver.number()));
            peer.expects(xrc(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 0, pattern(0, 8))));
        }
        peer.raisesNothing();
    }

    @Test
    @Rule("XRC-01")
    void endThatSendsIsAskedNothingAndEndThatReceivesAsksNothing() {
        srq.postRecv(ReceiveWorkRequest.of(1));
        sends(sender, packet(Opcode.SEND_ONLY, 0, pattern(0, 0)).ackRequest(true), srq.number());
        peer.expectsNothing().completesNothing();
        peer.sends(xrc(ack(0)).destQp(receiver.number()));
        peer.expectsNothing().completesNothing().raisesNothing();
        assertThat(peer.tap.events(TraceEvent.PacketDropped.class))
                .extracting(dropped -> dropped.reason().rule())
                .containsExactly("XRC-01", "XRC-01");
        // And packets of RC are for neither.
        peer.sends(packet(Opcode.SEND_ONLY, 0, pattern(0, 0)).destQp(receiver.number()));
        peer.expectsNothing().completesNothing();
        assertState(receiver, QpState.RTS);
        assertState(sender, QpState.RTS);
    }

    @Test
    @Rule({"XRC-01", "SRQ-07"})
    void messageThatGoesOnForAnotherQueueIsRefused() {
        SharedReceiveQueue other = newQueue();
        srq.postRecv(ReceiveWorkRequest.of(1, peer.side.sge(1000, 2 * MTU)));
        other.postRecv(ReceiveWorkRequest.of(2, peer.side.sge(1000, 2 * MTU)));
        sendsFirst();
        sends(receiver, packet(Opcode.SEND_LAST, 1, pattern(3, 8)), other.number());
        peer.expects(xrc(nak(1, Syndrome.NAK_INVALID_REQUEST)));
        assertThat(peer.received()).hasId(1).hasStatus(WcStatus.LOC_QP_OP_ERR);
        peer.completesNothing().raisesNothing();
        assertState(receiver, QpState.ERR);
    }

    @Test
    @Rule({"XRC-01", "SRQ-07", "PD-05"})
    void queueThatIsDestroyedTakesWithItWhatAMessageHadTaken() {
        srq.postRecv(ReceiveWorkRequest.of(1, peer.side.sge(1000, 2 * MTU)));
        sendsFirst();
        int number = srq.number();
        srq.close();
        sends(receiver, packet(Opcode.SEND_LAST, 1, pattern(3, 8)), number);
        peer.expects(xrc(nak(1, Syndrome.NAK_INVALID_REQUEST)));
        peer.completesNothing();
        assertEvent(peer.event(), EventType.QP_REQ_ERR, receiver);
        assertState(receiver, QpState.ERR);
        peer.raisesNothing();
    }

    @Test
    @Rule({"XRC-01", "SRQ-07", "QP-22", "QP-24"})
    void whatAMessageTookIsFlushedWithItsQueuePairOrForgotten() {
        SharedReceiveQueue other = newQueue();
        srq.postRecv(ReceiveWorkRequest.of(1, peer.side.sge(1000, 2 * MTU)));
        other.postRecv(ReceiveWorkRequest.of(2, peer.side.sge(1000, 2 * MTU)));
        sends(receiver, packet(Opcode.SEND_ONLY, 0, pattern(3, 8)), other.number());
        assertThat(peer.received()).isSuccess().hasId(2);
        sends(receiver, packet(Opcode.SEND_FIRST, 1, pattern(3, MTU)), srq.number());
        receiver.modify(new QpAttributes().state(QpState.ERR));
        assertThat(peer.received()).hasId(1).hasStatus(WcStatus.WR_FLUSH_ERR);
        peer.completesNothing().raisesNothing();

        receiver.modify(new QpAttributes().state(QpState.RESET));
        Dialogue.USUAL.readyToReceive(receiver, THERE);
        srq.postRecv(ReceiveWorkRequest.of(3, peer.side.sge(1000, 2 * MTU)));
        srq.postRecv(ReceiveWorkRequest.of(4, peer.side.sge(1000, 2 * MTU)));
        sendsFirst();
        receiver.modify(new QpAttributes().state(QpState.RESET));
        Dialogue.USUAL.readyToReceive(receiver, THERE);
        sends(receiver, packet(Opcode.SEND_ONLY, 0, pattern(3, 8)), srq.number());
        assertThat(peer.received()).isSuccess().hasId(4);
        peer.completesNothing();
    }

    @Test
    @Rule({"XRC-01", "QP-27", "QP-26"})
    void endsGoThroughTheirStates() {
        QueuePair early = domain.createQp(QpInitAttributes.xrcReceive());
        Dialogue.USUAL.readyToReceive(early, THERE);
        srq.postRecv(ReceiveWorkRequest.of(1));
        sends(early, packet(Opcode.SEND_ONLY, 0, pattern(0, 0)), srq.number());
        assertThat(peer.received()).isSuccess();
        assertEvent(peer.event(), EventType.COMM_EST, early);
        Dialogue.USUAL.readyToSend(early, 0);
        for (QueuePair each : new QueuePair[] {early, sender}) {
            each.modify(new QpAttributes().state(QpState.SQD).notifyDrained(true));
            assertEvent(peer.event(), EventType.SQ_DRAINED, each);
            each.modify(new QpAttributes().state(QpState.RTS));
            assertState(each, QpState.RTS);
        }
        peer.raisesNothing();
    }
}
