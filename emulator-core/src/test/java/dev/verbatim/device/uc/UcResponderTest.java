// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.DroppedPackets;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.SegmentRun;
import org.junit.jupiter.api.Test;

/** What an unreliable connection makes of packets: whole messages, or nothing and no word about it. */
class UcResponderTest {

    private static Packet first(int psn) {
        return packet(Opcode.UC_SEND_FIRST, psn, pattern(0, MTU));
    }

    private static Packet middle(int psn) {
        return packet(Opcode.UC_SEND_MIDDLE, psn, pattern(MTU, MTU));
    }

    private static Packet last(int psn) {
        return packet(Opcode.UC_SEND_LAST, psn, pattern(2 * MTU, 8));
    }

    private static Packet only(int psn) {
        return packet(Opcode.UC_SEND_ONLY, psn, pattern(7, 9));
    }

    /** It goes on as if nothing had been, and says nothing. */
    private static void goesOnInSilence(Dialogue it) {
        it.expectsNothing().raisesNothing();
        assertState(it.side.qp, QpState.RTS);
    }

    @Test
    @Rule({"UC-01", "WR-30", "ORD-30", "ORD-31"})
    void wholeMessageFillsAReceive() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU)).postsReceive(12, it.side.sge(8000, 9));
            it.sends(first(0), middle(1), last(2), only(3));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(2 * MTU + 8);
            assertThat(it.received()).isSuccess().hasId(12).hasByteLength(9);
            it.remembers(4000, pattern(0, 2 * MTU + 8)).remembers(8000, pattern(7, 9));
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule("UC-01")
    void gapDropsTheMessageAndTheNextOneGetsItsReceive() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU));
            it.sends(first(0), last(2), middle(1)).completesNothing();
            it.sends(middle(4), last(5)).completesNothing();
            it.sends(only(9));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(9);
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule({"UC-01", "H3-5"})
    void droppedMessagesAreCountedWithTheirReasons() {
        try (Dialogue it = Dialogue.overUc()) {
            it.sends(only(0), only(1));
            it.postsReceive(11, it.side.sge(4000, 3 * MTU));
            it.sends(first(2), last(4), middle(5));
            it.sends(packet(Opcode.UC_SEND_FIRST, 6, pattern(0, MTU - 8)));
            it.sends(packet(Opcode.UC_SEND_ONLY, 7, pattern(0, MTU + 8)));
            it.completesNothing();
            assertThat(it.side.device.droppedPackets().stream().map(DroppedPackets::toString))
                    .containsExactly(
                            "2 packets for qp 17: no receive is posted for UC_SEND_ONLY [UC-01]",
                            "1 packets for qp 17: UC_SEND_LAST psn=4 follows a gap, for psn=3 comes next: that message"
                                    + " is dropped [UC-01]",
                            "1 packets for qp 17: no message is under way that UC_SEND_MIDDLE could belong to [UC-01]",
                            "2 packets for qp 17: UC_SEND_FIRST has payload=248 at path MTU 256 [H3-5]");
        }
    }

    @Test
    @Rule("UC-01")
    void messageMayBeginAtAnyPsn() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU)).postsReceive(12, it.side.sge(8000, 9));
            it.sends(first(0x800005), middle(0x800006), last(0x800007));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(2 * MTU + 8);
            it.sends(only(3));
            assertThat(it.received()).isSuccess().hasId(12);
        }
    }

    @Test
    @Rule("UC-01")
    void messageThatBeginsWithinAnotherTakesItsPlace() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU));
            it.sends(first(0), first(1), middle(2), last(3));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(2 * MTU + 8);
            it.remembers(4000, pattern(0, 2 * MTU + 8)).completesNothing();
        }
    }

    @Test
    @Rule("UC-01")
    void sendIsNotContinuedByAWrite() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU));
            it.sends(first(0), packet(Opcode.UC_RDMA_WRITE_LAST, 1, pattern(0, 1)), last(1))
                    .completesNothing();
            it.sends(only(2));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(9);
        }
    }

    @Test
    @Rule("UC-01")
    void messageWithoutAReceiveIsLost() {
        try (Dialogue it = Dialogue.overUc()) {
            it.sends(first(0));
            it.postsReceive(11, it.side.sge(4000, 3 * MTU));
            it.sends(middle(1), last(2)).completesNothing();
            it.sends(
                    write(Opcode.UC_RDMA_WRITE_FIRST, 3, it.side.address(0), it.side.rkey(), 300, new byte[MTU]),
                    packet(Opcode.UC_RDMA_WRITE_LAST_WITH_IMM, 4, new byte[300 - MTU])
                            .immediate(5));
            var received = it.received();
            assertThat(received)
                    .isSuccess()
                    .hasId(11)
                    .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(300)
                    .hasFlags(WcFlags.WITH_IMM);
            it.remembers(0, new byte[300]);
            it.sends(write(
                    Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM, 5, it.side.address(1000), it.side.rkey(), 4, new byte[4]));
            it.isUntouched(1000, 1004).completesNothing();
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule({"UC-01", "WC-50", "WC-47"})
    void whatAReceiveCannotHoldOrAKeyDoesNotAllowIsDroppedInSilence() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, MTU + 4));
            it.sends(first(0), middle(1), last(2)).completesNothing();
            goesOnInSilence(it);
            it.sends(write(Opcode.UC_RDMA_WRITE_ONLY, 3, it.side.address(0), 0xbad, 4, new byte[4]));
            it.sends(write(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM, 4, it.side.address(0), 0xbad, 4, new byte[4]));
            it.sends(
                    write(Opcode.UC_RDMA_WRITE_FIRST, 5, it.side.address(0), it.side.rkey(), 900, pattern(0, MTU)),
                    packet(Opcode.UC_RDMA_WRITE_MIDDLE, 6, new byte[3]),
                    packet(Opcode.UC_RDMA_WRITE_LAST, 7, new byte[3]));
            it.isUntouched(0, 900).completesNothing();
            it.sends(only(8));
            assertThat(it.received()).isSuccess().hasId(11);
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule({"UC-01", "WC-50", "WC-25"})
    void writeToAQueuePairThatDoesNotGrantItIsDroppedInSilence() {
        try (Dialogue it =
                Dialogue.unconnected(DeviceProfile.STRICT_IBTA, QpType.UC).connect(Dialogue.UC.withAccess(0), 0, 0)) {
            it.sends(write(Opcode.UC_RDMA_WRITE_ONLY, 0, it.side.address(0), it.side.rkey(), 4, new byte[4]));
            it.isUntouched(0, 4);
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule({"WC-21", "WC-47"})
    void receiveThatCannotBeFilledEndsTheQueuePair() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, new Sge(0, 100, 0xbad)).postsReceive(12);
            it.sends(only(0)).expectsNothing().raisesNothing();
            assertThat(it.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(11);
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(12);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule({"WC-50", "SRQ-07"})
    void sharedReceiveThatWasTakenCompletesWithTheReasonOfTheDrop() {
        try (Dialogue it = Dialogue.unconnected(DeviceProfile.STRICT_IBTA, QpType.UC)) {
            SharedReceiveQueue srq = it.side.pd.createSrq(SrqInitAttributes.basic(8));
            QueuePair qp = it.side.pd.createQp(QpInitAttributes.uc(it.side.sendCq, it.side.recvCq, QpCapabilities.USUAL)
                    .withSrq(srq));
            Dialogue.UC.readyToReceive(qp, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0));
            for (int id = 11; id <= 14; id++) {
                srq.postRecv(ReceiveWorkRequest.of(id, it.side.sge(4000, MTU)));
            }
            // A gap: what was taken is for the next message of the queue pair.
            it.sends(first(0).destQp(qp.number()), last(2).destQp(qp.number())).completesNothing();
            it.sends(first(3).destQp(qp.number()), middle(4).destQp(qp.number()));
            assertThat(it.received())
                    .hasStatus(WcStatus.REM_INV_REQ_ERR)
                    .hasId(11)
                    .isExplainedBy("WC-50");
            it.sends(write(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM, 5, it.side.address(0), 0xbad, 4, new byte[4])
                    .destQp(qp.number()));
            assertThat(it.received()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(12);
            it.sends(only(6).destQp(qp.number()));
            assertThat(it.received()).isSuccess().hasId(13);
            assertState(qp, QpState.RTR);
        }
    }

    @Test
    @Rule({"QP-27", "AE-05"})
    void firstPacketThatCanBeTakenEstablishesTheCommunication() {
        try (Dialogue it = Dialogue.unconnected(DeviceProfile.STRICT_IBTA, QpType.UC)) {
            Dialogue.UC.readyToReceive(it.side.qp, new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0));
            it.postsReceive(11, it.side.sge(4000, MTU));
            it.sends(last(0)).raisesNothing();
            it.sends(only(1), only(2));
            assertThat(it.received()).isSuccess().hasId(11);
            assertEvent(it.event(), EventType.COMM_EST, it.side.qp);
            it.raisesNothing();
        }
    }

    @Test
    @Rule("H3-1")
    void packetOfAStrangerOrOfAnotherTransportIsNotForIt() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, MTU));
            it.sendsFrom(Gid.ofGuid(0x98), only(0));
            it.sends(
                    packet(Opcode.SEND_ONLY, 0, pattern(0, 8)),
                    packet(Opcode.UD_SEND_ONLY, 0, pattern(0, 8)),
                    packet(Opcode.ACKNOWLEDGE, 0));
            it.completesNothing();
            goesOnInSilence(it);
        }
    }

    @Test
    @Rule("UC-01")
    void runIsTakenAtOnceOrPacketByPacketWithTheSameOutcome() {
        try (Dialogue it = Dialogue.overUc()) {
            it.postsReceive(11, it.side.sge(4000, 3 * MTU)).postsReceive(12, it.side.sge(8000, MTU));
            it.sends(packet(Opcode.UC_SEND_ONLY, 0, pattern(0, 3 * MTU)).packets(3));
            assertThat(it.received()).isSuccess().hasId(11).hasByteLength(3 * MTU);
            it.remembers(4000, pattern(0, 3 * MTU));
            // Its first two packets are of a message that is too long, its end is of none.
            it.sends(packet(Opcode.UC_SEND_ONLY, 3, pattern(0, 3 * MTU)).packets(3))
                    .completesNothing();
            it.sends(only(6));
            assertThat(it.received()).isSuccess().hasId(12);
            org.assertj.core.api.Assertions.assertThat(SegmentRun.MOST_PACKETS).isGreaterThan(3);
        }
    }
}
