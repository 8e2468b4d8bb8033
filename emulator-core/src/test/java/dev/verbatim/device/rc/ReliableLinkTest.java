// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.rnr;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.RnrTimer;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a requester makes of silence on a link that loses nothing: the peer is slow, or the packet has not left. */
class ReliableLinkTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;
    private static final long TIMEOUT = AckTimeout.nanos(8);
    private static final long LONGEST = 4 * TIMEOUT;

    /** Longer than any lane is late that is only busy. */
    private static final long LONG_PAUSE = 50_000_000;

    @Test
    @Rule({"RT-01", "RT-05"})
    void silenceOfFourTimesTheTimeoutIsAskedAboutWithTheOldestPacketAlone() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 3), writes(it, 2, 1));
            it.expects(first(3, 0), middle(1, 1), last(2, 2), only(3)).sends(ack(0));
            it.after(LONGEST - 1).expectsNothing().after(1);
            it.expects(middle(1, 1).ackRequest(true)).expectsNothing();
            it.sends(ack(3)).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"RT-01", "RT-05", "WC-37"})
    void answerThatLeavesSomethingOpenIsFollowedByTheNewestPacketAndOnlyANakByAllTheRest() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 2), writes(it, 2, 1), writes(it, 3, 1));
            it.expects(first(2, 0), last(1, 1), only(2), only(3)).after(LONGEST);
            it.expects(first(2, 0).ackRequest(true)).expectsNothing();
            it.sends(ack(0)).expects(only(3)).expectsNothing();
            it.sends(nak(1, Syndrome.NAK_PSN_SEQUENCE));
            it.expects(last(1, 1), only(2), only(3)).expectsNothing();
        }
    }

    @Test
    @Rule("RT-05")
    void peerThatWasOnlySlowIsSentTwoPacketsTwice() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 4), writes(it, 2, 2)).takeAll();
            it.after(LONGEST).expects(first(4, 0).ackRequest(true)).expectsNothing();
            it.sends(ack(3)).expects(last(5, 1)).expectsNothing();
            it.sends(ack(5), ack(5)).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(2);
            it.after(10 * LONGEST).expectsNothing();
        }
    }

    /** Without a dialogue, since nobody may watch where packets cross in runs. */
    @Test
    void questionIsOnePacketEvenWhereManyCrossAsOne() {
        ManualFabric fabric = new ManualFabric();
        fabric.reliable(true);
        fabric.mostPacketsOfRun(64);
        try (Verbatim door = Verbatim.over(fabric)) {
            Side side = new Side(door.open("device"), QpCapabilities.USUAL);
            RcConnection.Endpoint peer = new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, 0);
            Dialogue.USUAL.readyToReceive(side.qp, peer);
            Dialogue.USUAL.readyToSend(side.qp, 0);
            side.qp.postSend(SendWorkRequest.write(1, ADDRESS, RKEY, side.sge(0, 10 * MTU)));
            assertThat(takeAll(fabric)).hasSize(10);
            fabric.lane().advanceTo(LONGEST);
            assertThat(takeAll(fabric)).hasSize(1).allMatch(packet -> packet.psn() == 0);
        }
    }

    private static List<PacketRecord> takeAll(ManualFabric fabric) {
        List<PacketRecord> taken = new ArrayList<>();
        for (PacketRecord next = fabric.take(Dialogue.PEER); next != null; next = fabric.take(Dialogue.PEER)) {
            taken.add(next);
        }
        return taken;
    }

    @Test
    @Rule({"RT-05", "DUP-02", "ACK-07"})
    void readIsAskedForFromItsFirstMissingByteAndTakesWhicheverAnswerComesFirst() {
        try (Dialogue it = begin()) {
            it.posts(SendWorkRequest.read(1, ADDRESS, RKEY, it.side.sge(0, 3 * MTU)), writes(it, 2, 1));
            it.expects(readRequest(0, ADDRESS, RKEY, 3 * MTU), only(3));
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_FIRST, 0)).after(LONGEST);
            it.expects(readRequest(1, ADDRESS + MTU, RKEY, 2 * MTU)).expectsNothing();
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_MIDDLE, 1))
                    .expects(only(3))
                    .expectsNothing();
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_FIRST, 1), answer(Opcode.RDMA_READ_RESPONSE_LAST, 2), ack(3));
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_LAST, 2), ack(3)).expectsNothing();
            assertThat(it.sent()).isSuccess().hasId(1).hasByteLength(3 * MTU);
            assertThat(it.sent()).isSuccess().hasId(2);
            it.remembers(0, pattern(0, 3 * MTU)).completesNothing();
        }
    }

    @Test
    @Rule({"RT-05", "DUP-03", "ACK-07"})
    void atomicIsAskedForAgainAsItWasAndItsSecondAnswerIsForNobody() {
        try (Dialogue it = begin()) {
            it.posts(add(it, 1, 0), add(it, 2, 8), add(it, 3, 16)).takeAll();
            it.after(LONGEST).expects(fetchAdd(0, ADDRESS, RKEY, 5)).expectsNothing();
            it.sends(atomicResponse(0, 70))
                    .expects(fetchAdd(2, ADDRESS, RKEY, 5))
                    .expectsNothing();
            it.sends(atomicResponse(1, 75), atomicResponse(0, 70), atomicResponse(2, 80), atomicResponse(2, 80));
            for (int id = 1; id <= 3; id++) {
                assertThat(it.sent()).isSuccess().hasId(id);
            }
            it.holds(0, 70).holds(8, 75).holds(16, 80).expectsNothing().completesNothing();
        }
    }

    @Test
    @Rule("RT-05")
    void readBehindTheOldestPacketIsNotAskedForAgain() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 1), writes(it, 2, 1));
            it.posts(SendWorkRequest.read(3, ADDRESS, RKEY, it.side.sge(0, 3 * MTU)));
            it.takeAll();
            it.after(LONGEST).expects(only(0)).sends(ack(0)).expects(only(1)).expectsNothing();
            it.sends(ack(1)).after(LONGEST).expects(readRequest(2, ADDRESS, RKEY, 3 * MTU));
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_FIRST, 2)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-02", "WC-36"})
    void silenceThatLastsIsEndedAfterRetryCountQuestions() {
        try (Dialogue it = begin(2)) {
            it.posts(writes(it, 1, 1), writes(it, 2, 1)).expects(only(0), only(1));
            for (int retry = 0; retry < 2; retry++) {
                it.after(LONGEST).expects(only(0)).expectsNothing().completesNothing();
            }
            it.after(LONGEST - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=2");
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void timerRunsFromWhenTheCarrierHasTakenThePacket() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1, 1)).expects(only(0)).after(TIMEOUT).sends(ack(0));
            assertThat(it.sent()).isSuccess();
            it.linkKeeps(true).posts(writes(it, 2, 2)).takeAll();
            for (int quarter = 0; quarter < 100; quarter++) {
                it.fabric.carrierTakes(1);
                it.after(TIMEOUT).expectsNothing().completesNothing();
            }
            it.linkKeeps(false).after(LONGEST - 1).completesNothing();
            it.after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void carrierThatTakesSomethingOnceInAWhileIsAlive() {
        try (Dialogue it = begin(0).linkKeeps(true)) {
            it.posts(writes(it, 1, 2)).takeAll();
            for (int pause = 0; pause < 10; pause++) {
                it.fabric.carrierTakes(1);
                it.after(LONGEST).completesNothing();
            }
            it.after(TIMEOUT);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule({"RT-01", "RT-02"})
    void carrierThatTakesNothingAnyMoreIsFoundOutAndGivenNothingMore() {
        try (Dialogue it = begin(2).linkKeeps(true)) {
            it.posts(writes(it, 1, 2)).takeAll();
            it.after(3 * LONGEST - 1).expectsNothing().completesNothing();
            it.after(1).expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36");
        }
    }

    @Test
    @Rule("RT-01")
    void packetThatWaitsForItsTurnIsNotMissedWhileOthersHaveTheirs() {
        try (Dialogue it = begin(1)) {
            it.posts(writes(it, 1, 2)).expects(first(2, 0), last(1, 1));
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            for (int quarter = 0; quarter < 100; quarter++) {
                it.fabric.carriesForOthers(1000);
                it.after(TIMEOUT).completesNothing();
            }
            it.expects(first(2, 0), last(1, 1)).expectsNothing();
            it.after(LONGEST - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void packetThatTheLinkDoesNotPullAndCarriesNothingElseIsMissed() {
        try (Dialogue it = begin(1)) {
            it.posts(writes(it, 1, 2)).expects(first(2, 0), last(1, 1));
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            // What it has taken up to the end of the first quarter may be later than the NAK.
            it.after(TIMEOUT + LONGEST - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void timeInWhichTheLaneWasHeldUpDoesNotCount() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1, 1)).expects(only(0));
            for (int pause = 0; pause < 10; pause++) {
                it.afterBeingHeldUpFor(LONG_PAUSE);
            }
            it.after(LONGEST - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void laneThatIsOnlyBusyIsNotHeldUp() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1, 1)).expects(only(0));
            for (int quarter = 0; quarter < 4; quarter++) {
                it.completesNothing().afterBeingHeldUpFor(2 * TIMEOUT + TIMEOUT / 2);
            }
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule({"RT-01", "RT-05", "N-05"})
    void whatIsSentAfterAnInterruptionIsTrustedAgain() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 1)).expects(only(0));
            it.linkIsReliable(false).sends(ack(0)).linkIsReliable(true);
            it.posts(writes(it, 2, 1), writes(it, 3, 1)).expects(only(1), only(2));
            it.after(LONGEST - 1).expectsNothing().after(1).expects(only(1)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-04", "RT-06"})
    void receiverThatIsNotReadyIsSentEverythingAgainAndTheQuestionOnlyOnce() {
        try (Dialogue it = begin()) {
            it.posts(send(it, 1), send(it, 2)).expects(sendOnly(0), sendOnly(1)).after(LONGEST);
            it.sends(rnr(0, 1)).expectsNothing();
            it.after(RnrTimer.nanos(1)).expects(sendOnly(0), sendOnly(1)).expectsNothing();
            it.sends(ack(0)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-05", "WC-29"})
    void packetThatCannotBeGatheredAgainEndsTheQueuePair() {
        try (Dialogue it = begin()) {
            it.posts(writes(it, 1, 1), writes(it, 2, 1))
                    .expects(only(0), only(1))
                    .after(LONGEST);
            it.side.region.close();
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    private static Dialogue begin() {
        return begin(7);
    }

    private static Dialogue begin(int retryCount) {
        return Dialogue.begin(Dialogue.USUAL.withRetries(8, retryCount, 7, 12)).linkIsReliable(true);
    }

    private static SendWorkRequest writes(Dialogue it, long id, int packets) {
        return SendWorkRequest.write(id, ADDRESS, RKEY, it.side.sge(0, packets * MTU));
    }

    private static SendWorkRequest add(Dialogue it, long id, int offset) {
        return SendWorkRequest.fetchAndAdd(id, ADDRESS, RKEY, 5, it.side.sge(offset, 8));
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        return SendWorkRequest.send(id, it.side.sge(0, 4));
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 4)).ackRequest(true);
    }

    private static Packet answer(Opcode opcode, int psn) {
        return readResponse(opcode, psn, pattern(psn * MTU, MTU));
    }

    private static Packet first(int packets, int psn) {
        return write(Opcode.RDMA_WRITE_FIRST, psn, ADDRESS, RKEY, packets * MTU, pattern(0, MTU));
    }

    private static Packet middle(int psn, int index) {
        return packet(Opcode.RDMA_WRITE_MIDDLE, psn, pattern(index * MTU, MTU));
    }

    private static Packet last(int psn, int index) {
        return packet(Opcode.RDMA_WRITE_LAST, psn, pattern(index * MTU, MTU)).ackRequest(true);
    }

    private static Packet only(int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, ADDRESS, RKEY, MTU, pattern(0, MTU))
                .ackRequest(true);
    }
}
