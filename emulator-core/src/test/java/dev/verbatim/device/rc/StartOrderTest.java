// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.atomicResponse;
import static dev.verbatim.testing.Packets.compareSwap;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.readResponse;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a requester puts its requests on the wire: in post order, and some only after others are done. */
class StartOrderTest {

    private static final long ADDRESS = 0x7000_0000_1000L;
    private static final int RKEY = 0x1201;

    @Test
    @Rule({"ORD-19", "ORD-20"})
    void fencedRequestWaitsForReadsAndAtomicsAndHoldsBackAllBehindIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1), add(it, 2), send(it, 3).plus(SendFlags.FENCE), send(it, 4));
            it.expects(readRequest(0, ADDRESS, RKEY, 8), fetchAdd(1, ADDRESS, RKEY, 1))
                    .expectsNothing();
            it.sends(only(0)).expectsNothing();
            it.sends(atomicResponse(1, 7)).expects(sendOnly(2), sendOnly(3));
        }
    }

    @Test
    @Rule({"ORD-19", "ORD-14"})
    void fencedSendGathersWhatTheReadBeforeItBrought() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(
                    SendWorkRequest.read(1, ADDRESS, RKEY, it.side.sge(0, 8)),
                    SendWorkRequest.send(2, it.side.sge(0, 8)).plus(SendFlags.FENCE));
            it.expects(readRequest(0, ADDRESS, RKEY, 8)).expectsNothing();
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 0, pattern(999, 8)));
            it.expects(packet(Opcode.SEND_ONLY, 1, pattern(999, 8)).ackRequest(true));
        }
    }

    @Test
    @Rule({"ORD-02", "ORD-13"})
    void sendWithoutFenceGathersWhatWasThereBeforeTheReadBroughtAnything() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(
                    SendWorkRequest.read(1, ADDRESS, RKEY, it.side.sge(0, 8)),
                    SendWorkRequest.send(2, it.side.sge(0, 8)));
            it.expects(
                    readRequest(0, ADDRESS, RKEY, 8),
                    packet(Opcode.SEND_ONLY, 1, pattern(0, 8)).ackRequest(true));
            it.sends(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 0, pattern(999, 8)));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.expectsNothing();
        }
    }

    @Test
    @Rule("ORD-19")
    void fenceDoesNotWaitForSendsAndWrites() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(
                    send(it, 1),
                    send(it, 2).plus(SendFlags.FENCE),
                    add(it, 3),
                    add(it, 4).plus(SendFlags.FENCE));
            it.expects(sendOnly(0), sendOnly(1), fetchAdd(2, ADDRESS, RKEY, 1)).expectsNothing();
            it.sends(atomicResponse(2, 7))
                    .expects(fetchAdd(3, ADDRESS, RKEY, 1))
                    .expectsNothing();
        }
    }

    @Test
    @Rule({"ORD-19", "RT-05"})
    void fenceHoldsWhenTheReadBeforeItIsRetried() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1), send(it, 2).plus(SendFlags.FENCE)).expects(readRequest(0, ADDRESS, RKEY, 8));
            it.after(AckTimeout.nanos(8))
                    .expects(readRequest(0, ADDRESS, RKEY, 8))
                    .expectsNothing();
            it.sends(only(0)).expects(sendOnly(1));
        }
    }

    @Test
    @Rule({"ORD-13"})
    void unfencedRequestsDoNotWaitForReads() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(read(it, 1), send(it, 2), add(it, 3));
            it.expects(readRequest(0, ADDRESS, RKEY, 8), sendOnly(1), fetchAdd(2, ADDRESS, RKEY, 1));
        }
    }

    @Test
    @Rule({"ORD-20", "WR-33"})
    void readBeyondMaxRdAtomicWaitsAndSoDoesAllBehindIt() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(2))) {
            it.posts(read(it, 1), add(it, 2), read(it, 3), send(it, 4));
            it.expects(readRequest(0, ADDRESS, RKEY, 8), fetchAdd(1, ADDRESS, RKEY, 1))
                    .expectsNothing();
            it.sends(only(0))
                    .expects(readRequest(2, ADDRESS, RKEY, 8), sendOnly(3))
                    .expectsNothing();
        }
    }

    @Test
    @Rule("WR-33")
    void readWithMaxRdAtomicZeroFailsWhenItsTurnComes() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(0))) {
            it.posts(send(it, 1), read(it, 2), send(it, 3)).expects(sendOnly(0)).expectsNothing();
            it.completesNothing().sends(ack(0));
            assertThat(it.sent()).isSuccess().hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(2).isExplainedBy("WR-33");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        }
    }

    @Test
    @Rule("PSN-04")
    void requesterStopsWhenTheWindowIsFullAndAsksForAcknowledgementsOnTheWay() {
        try (Dialogue it = Dialogue.begin()) {
            int bytes = 60_000;
            for (long id = 1; id <= 1 + DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS * MTU / bytes; id++) {
                it.posts(SendWorkRequest.send(id, it.side.sge(0, bytes)));
            }
            List<PacketRecord> sent = it.takeAll();
            assertThat(sent).hasSize(DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS);
            int packets = (bytes + MTU - 1) / MTU;
            for (PacketRecord packet : sent) {
                int place = packet.psn() % packets;
                assertThat(packet.bth().ackRequest())
                        .as("ackRequest of packet %d of its message", place)
                        .isEqualTo(place == packets - 1 || place % 64 == 63);
            }
            it.sends(ack(63));
            assertThat(it.takeAll()).hasSize(64);
            it.sends(ack(packets - 1));
            assertThat(it.sent()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule({"WC-29", "WC-06"})
    void requestWithABadElementFailsBeforeAnyOfItIsSentAndNothingBehindItIs() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(
                    SendWorkRequest.write(1, ADDRESS, RKEY, it.side.sge(0, 3 * MTU), new Sge(5, 1, 0xbad)),
                    send(it, 2));
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    @Test
    @Rule({"WC-30", "WC-06"})
    void badResultElementOfAReadIsFoundOutWhenTheResponseComes() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.read(1, ADDRESS, RKEY, new Sge(5, 8, 0xbad)), send(it, 2));
            it.expects(readRequest(0, ADDRESS, RKEY, 8), sendOnly(1)).completesNothing();
            it.sends(only(0));
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule({"MR-54", "WC-29"})
    void memoryThatIsRevokedUnderWayEndsTheMessageThere() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 3 * MTU)));
            it.expects(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)));
            it.side.region.close();
            it.expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
        }
    }

    @Test
    @Rule("ORD-35")
    void resentPacketCarriesWhatTheSourceHoldsThen() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.side.bytes().put(0, pattern(700, 4));
            it.after(AckTimeout.nanos(8));
            it.expects(packet(Opcode.SEND_ONLY, 0, pattern(700, 4)).ackRequest(true));
        }
    }

    @Test
    @Rule({"WR-22", "ORD-14"})
    void resentInlineDataAreThoseOfThePost() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1).plus(SendFlags.INLINE));
            it.side.bytes().put(0, pattern(700, 4));
            it.expects(sendOnly(0)).after(AckTimeout.nanos(8)).expects(sendOnly(0));
        }
    }

    @Test
    @Rule("ORD-20")
    void immediateAndSolicitedAreOnTheLastPacketAndTheAddressOnTheFirst() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(
                    SendWorkRequest.sendWithImmediate(1, 0xcafe, it.side.sge(0, MTU + 1))
                            .plus(SendFlags.SOLICITED),
                    SendWorkRequest.writeWithImmediate(2, ADDRESS, RKEY, 0xbeef, it.side.sge(0, MTU + 1)),
                    SendWorkRequest.compareAndSwap(3, ADDRESS, RKEY, 8, 9, it.side.sge(0, 8)));
            it.expects(
                    packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)),
                    packet(Opcode.SEND_LAST_WITH_IMM, 1, pattern(MTU, 1))
                            .immediate(0xcafe)
                            .solicited(true)
                            .ackRequest(true),
                    write(Opcode.RDMA_WRITE_FIRST, 2, ADDRESS, RKEY, MTU + 1, pattern(0, MTU)),
                    packet(Opcode.RDMA_WRITE_LAST_WITH_IMM, 3, pattern(MTU, 1))
                            .immediate(0xbeef)
                            .ackRequest(true),
                    compareSwap(4, ADDRESS, RKEY, 8, 9));
        }
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        return SendWorkRequest.send(id, it.side.sge(0, 4));
    }

    private static SendWorkRequest read(Dialogue it, long id) {
        return SendWorkRequest.read(id, ADDRESS, RKEY, it.side.sge(1024, 8));
    }

    private static SendWorkRequest add(Dialogue it, long id) {
        return SendWorkRequest.fetchAndAdd(id, ADDRESS, RKEY, 1, it.side.sge(2048, 8));
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 4)).ackRequest(true);
    }

    private static Packet only(int psn) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, psn, pattern(0, 8));
    }
}
