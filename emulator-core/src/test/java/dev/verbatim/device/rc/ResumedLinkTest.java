// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
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

/** A link that is reliable anew: what it has lost is known, so it is repaired at once and is no silence of the peer. */
class ResumedLinkTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;
    private static final long TIMEOUT = AckTimeout.nanos(8);
    private static final long LONGEST = 4 * TIMEOUT;

    @Test
    @Rule({"RT-01", "RT-02", "RT-05", "QP-29"})
    void everythingOutstandingIsSentAgainAtOnceWithoutARetryAndTheClockStartsAnew() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1), writes(it, 2)).expects(only(0), only(1));
            it.after(LONGEST - 1).expectsNothing();
            interrupt(it).expects(only(0), only(1)).expectsNothing();
            it.after(LONGEST - 1).expectsNothing().completesNothing();
            it.sends(ack(1));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).isSuccess().hasId(2);
        }
    }

    @Test
    @Rule({"RT-01", "RT-05"})
    void queuePairWithoutAClockIsRepairedToo() {
        try (Dialogue it =
                Dialogue.begin(Dialogue.USUAL.withRetries(0, 0, 7, 12)).linkIsReliable(true)) {
            it.posts(writes(it, 1)).expects(only(0));
            interrupt(it).expects(only(0)).sends(ack(0));
            assertThat(it.sent()).isSuccess();
        }
    }

    @Test
    @Rule({"RT-05", "DUP-02", "DUP-03"})
    void readGoesOnAtItsFirstMissingByteAndAnAtomicIsAskedForAsItWas() {
        try (Dialogue it = begin(0)) {
            it.posts(SendWorkRequest.read(1, ADDRESS, RKEY, it.side.sge(0, 3 * MTU)), add(it, 2));
            it.expects(readRequest(0, ADDRESS, RKEY, 3 * MTU), fetchAdd(3, ADDRESS, RKEY, 5));
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_FIRST, 0));
            interrupt(it).expects(readRequest(1, ADDRESS + MTU, RKEY, 2 * MTU), fetchAdd(3, ADDRESS, RKEY, 5));
            it.sends(answer(Opcode.RDMA_READ_RESPONSE_FIRST, 1), answer(Opcode.RDMA_READ_RESPONSE_LAST, 2));
            it.sends(atomicResponse(3, 70));
            assertThat(it.sent()).isSuccess().hasId(1).hasByteLength(3 * MTU);
            assertThat(it.sent()).isSuccess().hasId(2);
            it.remembers(0, pattern(0, 3 * MTU)).holds(3 * MTU, 70).expectsNothing();
        }
    }

    @Test
    @Rule("RT-05")
    void whatIsAcknowledgedIsNotSentAgain() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1), writes(it, 2)).expects(only(0), only(1)).sends(ack(0));
            interrupt(it).expects(only(1)).expectsNothing().sends(ack(1));
            interrupt(it).expectsNothing();
        }
    }

    /** The answers would begin with a gap, and that costs who asked a retry. */
    @Test
    @Rule({"RT-05", "ACK-02", "DUP-02"})
    void answersThatWereNotSentAreLeftToBeAskedForAgain() {
        try (Dialogue it = begin(7)) {
            long address = it.side.region.address();
            int rkey = it.side.region.rkey();
            it.sends(
                    readRequest(0, address, rkey, 3 * MTU),
                    write(Opcode.RDMA_WRITE_ONLY, 3, address, rkey, 0, NOTHING));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 0, pattern(0, MTU)));
            interrupt(it).expectsNothing();
            it.sends(readRequest(1, address + MTU, rkey, 2 * MTU));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, 1, pattern(MTU, MTU)));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_LAST, 2, pattern(2 * MTU, MTU)));
            it.sends(write(Opcode.RDMA_WRITE_ONLY, 3, address, rkey, 0, NOTHING).ackRequest(true));
            it.expects(ack(3)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-05", "WC-23"})
    void whatAQueuePairSaysLastIsSaidAllTheSame() {
        try (Dialogue it = begin(7)) {
            it.sends(write(Opcode.RDMA_WRITE_ONLY, 0, ADDRESS, 0x7777, 1, new byte[1])
                    .ackRequest(true));
            interrupt(it).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
        }
    }

    @Test
    @Rule({"RT-04", "RT-06"})
    void receiverThatAskedForTimeHasIt() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1)).expects(only(0)).sends(rnr(0, 1));
            interrupt(it).expectsNothing();
            it.after(RnrTimer.nanos(1)).expects(only(0)).expectsNothing();
        }
    }

    /** NAKs and gaps that tell of the same loss cost nothing, not even the last retry. */
    @Test
    @Rule({"RT-02", "WC-37"})
    void signsOfTheLossThatCameLateCountForNothing() {
        try (Dialogue it = begin(0)) {
            it.posts(writes(it, 1), writes(it, 2)).expects(only(0), only(1));
            interrupt(it).expects(only(0), only(1));
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE)).expectsNothing().completesNothing();
            it.sends(ack(1));
            assertThat(it.sent()).isSuccess();
        }
    }

    @Test
    @Rule({"RT-01", "RT-02", "WC-36"})
    void linkThatComesBackAgainAndAgainInVainIsTrustedSoManyTimesAndThenTheClockRunsOn() {
        try (Dialogue it = begin(1)) {
            it.posts(writes(it, 1)).expects(only(0));
            for (int i = 0; i < Retransmission.MOST_RESUMPTIONS_IN_VAIN; i++) {
                it.after(LONGEST - 1).completesNothing();
                interrupt(it).expects(only(0)).expectsNothing();
            }
            // Two waits of the nominal time: one retry, then the end.
            for (int wait = 0; wait < 2; wait++) {
                it.completesNothing().after(TIMEOUT / 2).expectsNothing();
                interrupt(it).expects(only(0)).after(TIMEOUT - TIMEOUT / 2);
                if (wait == 0) {
                    it.expects(only(0));
                }
            }
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36");
        }
    }

    @Test
    @Rule({"RT-02", "RT-05"})
    void progressMakesTheLinkTrustedAgain() {
        try (Dialogue it = begin(0)) {
            for (int psn = 0; psn < 3; psn++) {
                it.posts(writes(it, psn)).expects(only(psn));
                for (int i = 0; i < Retransmission.MOST_RESUMPTIONS_IN_VAIN; i++) {
                    interrupt(it).expects(only(psn));
                    it.after(LONGEST - 1);
                }
                it.sends(ack(psn));
                assertThat(it.sent()).isSuccess().hasId(psn);
            }
        }
    }

    @Test
    @Rule({"RT-01", "RT-02", "QP-29"})
    void peerThatNeverComesBackIsFoundOutInTheNominalTime() {
        try (Dialogue it = begin(1)) {
            it.posts(writes(it, 1)).expects(only(0)).linkIsReliable(false);
            it.after(TIMEOUT).expects(only(0)).completesNothing().after(TIMEOUT);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    /** Else a link that always breaks soon would always serve the same. */
    @Test
    @Rule("RT-05")
    void eachTimeAnotherQueuePairIsServedFirst() {
        ManualFabric fabric = new ManualFabric();
        fabric.reliable(true);
        try (Verbatim door = Verbatim.over(fabric)) {
            List<Side> sides = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Side side = i == 0
                        ? new Side(door.open("device"), QpCapabilities.USUAL)
                        : new Side(sides.get(0).device, QpCapabilities.USUAL);
                Dialogue.USUAL.readyToReceive(side.qp, new RcConnection.Endpoint(Dialogue.PEER, i, 0));
                Dialogue.USUAL.readyToSend(side.qp, 0);
                side.qp.postSend(SendWorkRequest.write(1, ADDRESS, RKEY, side.sge(0, 1)));
                sides.add(side);
            }
            takeAll(fabric);
            List<Integer> first = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                fabric.reliable(false);
                fabric.reliable(true);
                List<Integer> served = takeAll(fabric).stream()
                        .map(packet -> packet.toPacket().destQp())
                        .toList();
                assertThat(served).containsExactlyInAnyOrder(0, 1, 2);
                first.add(served.get(0));
            }
            assertThat(first).containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    private static final byte[] NOTHING = {};

    private static List<PacketRecord> takeAll(ManualFabric fabric) {
        List<PacketRecord> taken = new ArrayList<>();
        for (PacketRecord next = fabric.take(Dialogue.PEER); next != null; next = fabric.take(Dialogue.PEER)) {
            taken.add(next);
        }
        return taken;
    }

    private static Dialogue begin(int retryCount) {
        return Dialogue.begin(Dialogue.USUAL.withRetries(8, retryCount, 7, 12)).linkIsReliable(true);
    }

    private static Dialogue interrupt(Dialogue it) {
        return it.linkIsReliable(false).linkIsReliable(true);
    }

    private static SendWorkRequest writes(Dialogue it, long id) {
        return SendWorkRequest.write(id, ADDRESS, RKEY, it.side.sge(0, MTU));
    }

    private static SendWorkRequest add(Dialogue it, long id) {
        return SendWorkRequest.fetchAndAdd(id, ADDRESS, RKEY, 5, it.side.sge(3 * MTU, 8));
    }

    private static Packet answer(Opcode opcode, int psn) {
        return readResponse(opcode, psn, pattern(psn * MTU, MTU));
    }

    private static Packet only(int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, ADDRESS, RKEY, MTU, pattern(0, MTU))
                .ackRequest(true);
    }
}
