// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.rnr;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which packet takes a receive out of a shared queue, and what becomes of it when its message does not end well (SRQ-07). */
class SharedReceivePacketsTest {

    @AutoClose
    private final Dialogue peer = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);

    private final SharedReceiveQueue srq = peer.side.pd.createSrq(SrqInitAttributes.basic(8));
    private final QueuePair qp =
            peer.side.pd.createQp(peer.side.qp.initAttributes().withSrq(srq));
    private final QueuePair other =
            peer.side.pd.createQp(peer.side.qp.initAttributes().withSrq(srq));

    @BeforeEach
    void connect() {
        for (QueuePair each : new QueuePair[] {qp, other}) {
            Dialogue.USUAL.readyToReceive(each, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0));
            Dialogue.USUAL.readyToSend(each, 0);
        }
    }

    private void posts(long id, int offset, int lengthBytes) {
        srq.postRecv(ReceiveWorkRequest.of(id, peer.side.sge(offset, lengthBytes)));
    }

    private void sends(QueuePair to, Packet... packets) {
        for (Packet packet : packets) {
            peer.sends(packet.destQp(to.number()));
        }
    }

    private static Packet first(int psn) {
        return packet(Opcode.SEND_FIRST, psn, pattern(3, MTU));
    }

    @Test
    @Rule({"SRQ-07", "SRQ-02", "SRQ-04", "ACK-06"})
    void firstPacketTakesTheReceiveAndTheMessageKeepsIt() {
        posts(1, 0, 2 * MTU);
        posts(2, 8 * MTU, MTU);
        srq.modify(SrqAttributes.ofLimit(2), SrqAttributes.LIMIT);
        sends(qp, first(0));
        // It is gone from the queue: the limit counts from now on, and the next message finds the next.
        assertThat(srq.query().limit()).isZero();
        assertThat(peer.event().type()).isEqualTo(EventType.SRQ_LIMIT_REACHED);
        sends(other, packet(Opcode.SEND_ONLY, 0, pattern(9, 8)).ackRequest(true));
        assertThat(peer.received()).isSuccess().hasId(2).hasByteLength(8);
        peer.expects(ack(0));
        sends(other, packet(Opcode.SEND_ONLY, 1, pattern(9, 8)));
        peer.expects(rnr(1, Dialogue.USUAL.minRnrTimer())).completesNothing();
        sends(qp, packet(Opcode.SEND_LAST, 1, pattern(40, 16)).ackRequest(true));
        peer.expects(ack(1));
        assertThat(peer.received())
                .isSuccess()
                .hasId(1)
                .hasOpcode(WcOpcode.RECV)
                .hasByteLength(MTU + 16);
        peer.remembers(0, pattern(3, MTU)).remembers(MTU, pattern(40, 16));
        assertThat(peer.tap.events(TraceEvent.SharedReceiveTaken.class))
                .extracting(TraceEvent.SharedReceiveTaken::workRequestId)
                .containsExactly(1L, 2L);
    }

    @Test
    @Rule({"SRQ-07", "QP-22", "QP-25", "SRQ-03"})
    void whatAMessageTookIsFlushedWithItsQueuePair() {
        posts(1, 0, 2 * MTU);
        posts(2, 0, 2 * MTU);
        sends(qp, first(0));
        qp.modify(new QpAttributes().state(QpState.ERR));
        assertThat(peer.received()).hasId(1).hasStatus(WcStatus.WR_FLUSH_ERR);
        assertEvent(peer.event(), EventType.QP_LAST_WQE_REACHED, qp);
        peer.completesNothing().raisesNothing();
        sends(other, packet(Opcode.SEND_ONLY, 0, pattern(9, 8)));
        assertThat(peer.received()).isSuccess().hasId(2);
    }

    @Test
    @Rule({"SRQ-07", "QP-24"})
    void whatAMessageTookIsForgottenWithAReset() {
        posts(1, 0, 2 * MTU);
        posts(2, 0, 2 * MTU);
        sends(qp, first(0));
        qp.modify(new QpAttributes().state(QpState.RESET));
        peer.completesNothing().raisesNothing();
        Dialogue.USUAL.readyToReceive(qp, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0));
        sends(qp, packet(Opcode.SEND_ONLY, 0, pattern(9, 8)));
        assertThat(peer.received()).isSuccess().hasId(2);
    }

    @Test
    @Rule({"SRQ-07", "WC-28", "AE-21"})
    void messageThatIsBrokenOffFailsTheReceiveThatItTook() {
        posts(1, 0, 2 * MTU);
        posts(2, 0, 2 * MTU);
        sends(qp, first(0), packet(Opcode.SEND_ONLY, 1, pattern(0, 4)));
        peer.expects(nak(1, Syndrome.NAK_INVALID_REQUEST));
        assertThat(peer.received()).hasId(1).hasStatus(WcStatus.LOC_QP_OP_ERR);
        assertState(qp, QpState.ERR);
        assertEvent(peer.event(), EventType.QP_LAST_WQE_REACHED, qp);
        peer.completesNothing().raisesNothing();
    }

    @Test
    @Rule({"SRQ-07", "WC-23", "WC-24"})
    void writeWithImmediateTakesItsReceiveAtItsEnd() {
        long address = peer.side.address(0);
        Packet begin = write(Opcode.RDMA_WRITE_FIRST, 0, address, peer.side.rkey(), MTU + 4, pattern(5, MTU));
        sends(qp, begin);
        peer.completesNothing();
        assertThat(peer.tap.events(TraceEvent.SharedReceiveTaken.class)).isEmpty();
        posts(1, 0, 4);
        sends(qp, packet(Opcode.RDMA_WRITE_LAST_WITH_IMM, 1, pattern(6, 4)).immediate(77));
        assertThat(peer.received()).isSuccess().hasId(1).hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM);

        // A key that is not good: the receive fails if the message is one packet, and stays where it is if it has more.
        posts(2, 0, 4);
        sends(other, write(Opcode.RDMA_WRITE_FIRST, 0, address, peer.side.rkey() ^ 1, MTU + 4, pattern(5, MTU)));
        assertEvent(peer.event(), EventType.QP_ACCESS_ERR, other);
        assertEvent(peer.event(), EventType.QP_LAST_WQE_REACHED, other);
        peer.completesNothing();
        sends(
                qp,
                write(Opcode.RDMA_WRITE_ONLY_WITH_IMM, 2, address, peer.side.rkey() ^ 1, 4, pattern(5, 4))
                        .immediate(78));
        assertThat(peer.received()).hasId(2).hasStatus(WcStatus.LOC_ACCESS_ERR);
        assertEvent(peer.event(), EventType.QP_LAST_WQE_REACHED, qp);
        peer.raisesNothing();
    }

    @Test
    @Rule({"SRQ-02", "DUP-01"})
    void messageThatComesAgainTakesNoOtherReceive() {
        posts(1, 0, 8);
        posts(2, 0, 8);
        sends(qp, packet(Opcode.SEND_ONLY, 0, pattern(9, 8)), packet(Opcode.SEND_ONLY, 0, pattern(9, 8)));
        assertThat(peer.received()).isSuccess().hasId(1);
        peer.completesNothing();
        assertThat(peer.tap.events(TraceEvent.SharedReceiveTaken.class)).hasSize(1);
        asserted();
    }

    @Test
    @Rule({"SRQ-07", "QP-06"})
    void whatAMessageTookVanishesWithItsQueuePair() {
        posts(1, 0, 2 * MTU);
        sends(qp, first(0));
        qp.close();
        peer.completesNothing().raisesNothing();
        other.close();
        srq.close();
        QpInitAttributes plain = peer.side.qp.initAttributes();
        assertThat(plain.srq()).isNull();
    }
}
