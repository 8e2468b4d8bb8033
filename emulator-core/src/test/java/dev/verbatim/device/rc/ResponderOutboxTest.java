// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
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

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.ExtensionHeader.Aeth;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** In which order a responder speaks, and what it merges, when it gets requests faster than it can answer. */
class ResponderOutboxTest {

    @Test
    @Rule({"ORD-36", "ACK-04"})
    void acknowledgementWaitsForTheResponsesBeforeIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(0, 7);
            it.sends(read(it, 0, 256, 2 * MTU), add(it, 2, 0), writeOnly(it, 3));
            it.expects(first(0, 256), last(1, 256 + MTU, MTU), atomicResponse(2, 7), ack(3));
            it.expectsNothing();
        }
    }

    @Test
    @Rule({"ORD-36", "ORD-12", "ORD-11"})
    void responsesLeaveInPsnOrder() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(0, 7);
            it.sends(read(it, 0, 256, MTU + 4), add(it, 2, 0), read(it, 3, 0, 8), add(it, 4, 0));
            it.expects(first(0, 256), last(1, 256 + MTU, 4), atomicResponse(2, 7));
            PacketRecord afterFirstAdd = it.takeAll().get(0);
            Assertions.assertThat(afterFirstAdd.psn()).isEqualTo(3);
        }
    }

    @Test
    @Rule("ACK-04")
    void acknowledgementsNotYetSentAreMergedIntoTheLatest() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeOnly(it, 0), writeOnly(it, 1), writeOnly(it, 2)).expects(ack(2));
            it.expectsNothing();
            it.sends(writeOnly(it, 3), read(it, 4, 0, 0));
            it.expects(readResponse(Opcode.RDMA_READ_RESPONSE_ONLY, 4, new byte[0]))
                    .expectsNothing();
        }
    }

    @Test
    @Rule("ACK-04")
    void packetWithoutAckRequestIsNotAcknowledgedUntilOneAsks() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeOnly(it, 0).ackRequest(false)).expectsNothing();
            it.sends(
                    write(Opcode.RDMA_WRITE_FIRST, 1, it.side.address(0), it.side.rkey(), 3 * MTU, pattern(0, MTU)),
                    packet(Opcode.RDMA_WRITE_MIDDLE, 2, pattern(0, MTU)).ackRequest(true));
            it.expects(ack(2)).expectsNothing();
            it.sends(packet(Opcode.RDMA_WRITE_LAST, 3, pattern(0, MTU)).ackRequest(true))
                    .expects(ack(3));
        }
    }

    @Test
    @Rule({"ORD-36", "RT-06"})
    void receiverNotReadyIsToldAfterTheResponsesBeforeItAndNotForgottenForARepeatedRequest() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeOnly(it, 0), read(it, 1, 256, 2 * MTU), sendOnly(3));
            it.sends(writeOnly(it, 0), writeOnly(it, 4), read(it, 5, 0, 8));
            it.expects(first(1, 256), last(2, 256 + MTU, MTU), rnr(3, 12)).expectsNothing();
            it.isUntouched(64, 64);
        }
    }

    @Test
    @Rule({"ORD-36", "PSN-02"})
    void sequenceNakIsToldAfterTheResponsesBeforeItAndNotForgottenForARepeatedRequest() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeOnly(it, 0), read(it, 1, 256, 2 * MTU), writeOnly(it, 4), writeOnly(it, 0));
            it.expects(first(1, 256), last(2, 256 + MTU, MTU), nak(3, Syndrome.NAK_PSN_SEQUENCE));
            it.expectsNothing();
        }
    }

    @Test
    @Rule({"ORD-36", "PR-01", "WC-23"})
    void errorIsToldAfterTheResponsesBeforeItAndThenThereIsSilence() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 256, 2 * MTU), writeOnly(it, 2), badWrite(it, 3), writeOnly(it, 4));
            assertState(it.side.qp, QpState.ERR);
            it.expects(first(0, 256), last(1, 256 + MTU, MTU), nak(3, Syndrome.NAK_REMOTE_ACCESS));
            it.sends(writeOnly(it, 4), read(it, 0, 256, 8)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            it.raisesNothing();
        }
    }

    @Test
    @Rule({"ORD-36", "PR-01"})
    void errorOfARepeatedReadSilencesTheAnswersBehindIt() {
        try (Dialogue it = Dialogue.begin()) {
            it.side.bytes().putLong(8, 3);
            it.sends(read(it, 0, 256, 8)).takeAll();
            it.sends(add(it, 1, 8));
            Packet again = read(it, 0, 256, 8);
            it.side.region.close();
            it.sends(again).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule({"N7", "ORD-36"})
    void readWhoseKeyIsRevokedUnderWayEndsWithANakAtThatPacket() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 4 * MTU), writeOnly(it, 4)).expects(first(0, 0));
            it.side.region.close();
            it.expects(nak(1, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            assertState(it.side.qp, QpState.ERR);
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
        }
    }

    @Test
    @Rule("ORD-36")
    void revokedKeyFoundOutWhenTheQueuePairHasFailedAlreadyReplacesTheLaterNak() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(read(it, 0, 0, 4 * MTU), badWrite(it, 4)).expects(first(0, 0));
            it.side.region.close();
            it.expects(nak(1, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            it.raisesNothing();
        }
    }

    @Test
    @Rule("WC-49")
    void queuePairThatFailedForItsOwnReasonStopsAnswering() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 8));
            it.sends(read(it, 0, 0, 4 * MTU), writeOnly(it, 4)).expects(first(0, 0));
            it.side.qp.modify(new QpAttributes().state(QpState.ERR));
            it.expectsNothing();
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    @Rule("ACK-05")
    void messageSequenceNumberCountsCompletedMessagesAndReadsWhenAccepted() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(packet(Opcode.SEND_ONLY, 0).ackRequest(true));
            Assertions.assertThat(sequence(it)).as("an RNR NAK before anything").isZero();
            it.postsReceive(1, it.side.sge(0, 2 * MTU));
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)).ackRequest(true));
            Assertions.assertThat(sequence(it)).as("part of a message").isZero();
            it.sends(packet(Opcode.SEND_LAST, 1, pattern(0, 1)).ackRequest(true));
            Assertions.assertThat(sequence(it)).isEqualTo(1);
            it.sends(packet(Opcode.SEND_LAST, 1, pattern(0, 1)).ackRequest(true));
            Assertions.assertThat(sequence(it)).as("a duplicate").isEqualTo(1);
            it.sends(read(it, 2, 0, 2 * MTU));
            Assertions.assertThat(sequence(it))
                    .as("a READ accepted, its answer begun")
                    .isEqualTo(2);
            it.sends(writeOnly(it, 4), add(it, 5, 8)).takeAll();
            it.sends(badWrite(it, 6));
            Assertions.assertThat(sequence(it)).as("a NAK").isEqualTo(4);
        }
    }

    private static int sequence(Dialogue it) {
        asserted();
        PacketRecord answer = it.fabric.take(Dialogue.PEER);
        Assertions.assertThat(answer).isNotNull();
        return answer.extension(Aeth.class).messageSequence();
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(800, 8)).ackRequest(true);
    }

    private static Packet writeOnly(Dialogue it, int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, it.side.address(64), it.side.rkey(), 0, new byte[0])
                .ackRequest(true);
    }

    private static Packet badWrite(Dialogue it, int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, it.side.address(64), 0xbad, 8, pattern(0, 8))
                .ackRequest(true);
    }

    private static Packet read(Dialogue it, int psn, int offset, int lengthBytes) {
        return readRequest(psn, it.side.address(offset), it.side.rkey(), lengthBytes);
    }

    private static Packet add(Dialogue it, int psn, int offset) {
        return fetchAdd(psn, it.side.address(offset), it.side.rkey(), 1);
    }

    private static Packet first(int psn, int from) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_FIRST, psn, pattern(from, MTU));
    }

    private static Packet last(int psn, int from, int lengthBytes) {
        return readResponse(Opcode.RDMA_READ_RESPONSE_LAST, psn, pattern(from, lengthBytes));
    }
}
