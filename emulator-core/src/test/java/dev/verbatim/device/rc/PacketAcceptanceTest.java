// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;

/** Which packets are for a queue pair at all (H3-1); the others are dropped without a word. */
class PacketAcceptanceTest {

    private static final Gid STRANGER = Gid.ofGuid(0x77);

    @Test
    @Rule({"H3-1", "QP-28"})
    void queuePairBelowReadyToReceiveHearsNothing() {
        try (Dialogue it = Dialogue.unconnected(DeviceProfile.STRICT_IBTA)) {
            it.sends(writeZeros(it, 0));
            assertDropped(it, 1);
            it.side.qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(1)
                    .accessFlags(Dialogue.USUAL.access()));
            it.sends(writeZeros(it, 0));
            assertDropped(it, 2);
            it.isUntouched(0, 64).expectsNothing().raisesNothing();
        }
    }

    @Test
    @Rule("QP-27")
    void queuePairReadyToReceiveAnswersRequestsAndIgnoresAnswers() {
        try (Dialogue it = Dialogue.unconnected(DeviceProfile.STRICT_IBTA)) {
            Dialogue.USUAL.readyToReceive(
                    it.side.qp, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0xabcdef));
            it.sends(ack(0), nak(0, Syndrome.NAK_REMOTE_ACCESS), atomicResponse(0, 1));
            it.sends(writeZeros(it, 0xabcdef)).expects(ack(0xabcdef)).expectsNothing();
            assertEvent(it.event(), EventType.COMM_EST, it.side.qp);
            assertState(it.side.qp, QpState.RTR);
        }
    }

    @Test
    @Rule("QP-26")
    void drainingQueuePairStillAnswers() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.qp.modify(new QpAttributes().state(QpState.SQD));
            it.sends(writeZeros(it, 0)).expects(ack(0));
        }
    }

    @Test
    @Rule({"H3-1", "WC-06", "QP-29"})
    void queuePairInErrorHearsNothingAndSaysNothing() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 4))).takeAll();
            it.side.qp.modify(new QpAttributes().state(QpState.ERR));
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR);
            it.sends(writeZeros(it, 0), ack(0)).expectsNothing().completesNothing();
            assertDropped(it, 2);
            it.isUntouched(0, 64);
        }
    }

    @Test
    @Rule("H3-1")
    void packetOfAStrangerIsDroppedThoughItKnowsTheNumbers() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 4))).takeAll();
            it.sendsFrom(STRANGER, writeZeros(it, 0)).sendsFrom(STRANGER, ack(0));
            assertDropped(it, 2);
            it.expectsNothing().completesNothing().isUntouched(0, 64);
            assertThat(it.fabric.take(STRANGER)).isNull();
            it.sends(writeZeros(it, 0)).expects(ack(0));
        }
    }

    @Test
    @Rule("H3-1")
    void packetForANumberThatNobodyHasOrInAnotherPartitionIsDropped() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(
                    writeZeros(it, 0).destQp(it.side.qp.number() + 1),
                    writeZeros(it, 0).destQp(2),
                    writeZeros(it, 0).pkey(0x7fff),
                    writeZeros(it, 0).pkey(0x8001));
            assertDropped(it, 4);
            assertThat(it.side.device.queryPort(1).badPkeys()).isEqualTo(2);
            it.expectsNothing().isUntouched(0, 64);
            assertState(it.side.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"QP-24", "PSN-05"})
    void queuePairThatWasResetBeginsAnewAndForgetsWhatWasUnfinished() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 4096));
            it.sends(packet(Opcode.SEND_FIRST, 0, new byte[Dialogue.MTU]).ackRequest(true));
            it.side.qp.modify(new QpAttributes().state(QpState.RESET));
            it.expectsNothing();
            it.connect(Dialogue.USUAL, 70, 90).completesNothing();
            it.sends(writeZeros(it, 1)).expectsNothing();
            it.sends(writeZeros(it, 90)).expects(ack(90)).expectsNothing();
        }
    }

    private static void assertDropped(Dialogue it, int count) {
        assertThat(it.tap.events(TraceEvent.PacketDropped.class))
                .hasSize(count)
                .allMatch(dropped -> dropped.reason().rule().equals("H3-1"));
    }

    private static Packet writeZeros(Dialogue it, int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, it.side.address(0), it.side.rkey(), 64, new byte[64])
                .ackRequest(true);
    }
}
