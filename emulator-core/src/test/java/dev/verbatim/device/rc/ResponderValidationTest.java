// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.fetchAdd;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.readRequest;
import static dev.verbatim.testing.Packets.rnr;
import static dev.verbatim.testing.Packets.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.junit.jupiter.api.Test;

/** The order in which a responder finds fault with a request: each test has a packet with two faults (H.3). */
class ResponderValidationTest {

    private static final int NO_KEY = 0xbad;

    @Test
    @Rule({"H3-2", "PSN-02"})
    void psnIsJudgedBeforeTheOpcodeSequence() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(packet(Opcode.SEND_MIDDLE, 1, pattern(0, MTU))).expects(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            it.sends(writeZeros(it, 0)).expects(ack(0));
            it.sends(packet(Opcode.SEND_MIDDLE, 0, pattern(0, MTU))).expects(ack(0));
            assertState(it.side.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"PSN-02", "AE-22"})
    void packetsAheadAreDroppedAndDrawOneSequenceNakUntilTheExpectedOneComes() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(writeZeros(it, 1), writeZeros(it, 2)).expects(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            it.sends(writeZeros(it, 1), writeZeros(it, 0x7fffff)).expectsNothing();
            it.isUntouched(0, 64).raisesNothing();
            it.sends(writeZeros(it, 0), writeZeros(it, 2)).expects(nak(1, Syndrome.NAK_PSN_SEQUENCE));
            it.sends(writeZeros(it, 1), writeZeros(it, 2)).expects(ack(2)).expectsNothing();
        }
    }

    @Test
    @Rule("H3-3")
    void opcodeSequenceIsJudgedBeforeTheRightOfTheQueuePair() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withAccess(0))) {
            it.sends(packet(Opcode.RDMA_WRITE_MIDDLE, 0, pattern(0, MTU)));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, "WC-28");
        }
    }

    @Test
    @Rule({"H3-4", "WC-25"})
    void rightOfTheQueuePairIsJudgedBeforeTheLength() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withAccess(AccessFlags.REMOTE_READ))) {
            it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, it.side.address(0), it.side.rkey(), 1, pattern(0, 1)));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "WC-25");
        }
    }

    @Test
    @Rule({"H3-4", "NW-04"})
    void opcodeThatIsNotSupportedIsRefusedBeforeItsKeyIsLookedAt() {
        try (Dialogue it = Dialogue.unconnected(DeviceProfile.MLX5_LIKE).connect(Dialogue.USUAL, 0, 0)) {
            it.sends(packet(Opcode.FLUSH, 0).flushType(1).remoteKey(NO_KEY).dmaLengthBytes(8));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, "NW-04");
        }
        DeviceProfile withoutExtensions = DeviceProfile.STRICT_IBTA.toBuilder()
                .windows(WindowSwitches.STRICT.toBuilder()
                        .type2(WindowSwitches.Type2.NONE)
                        .build())
                .build();
        try (Dialogue it = Dialogue.unconnected(withoutExtensions).connect(Dialogue.USUAL, 0, 0)) {
            it.sends(packet(Opcode.SEND_ONLY_WITH_INVALIDATE, 0, pattern(0, 8)).invalidateKey(NO_KEY));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, "NW-04");
        }
    }

    @Test
    @Rule("H3-5")
    void lengthIsJudgedBeforeTheReceive() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(packet(Opcode.SEND_ONLY, 0, pattern(0, MTU + 1)));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR, "H3-5");
        }
    }

    @Test
    @Rule({"H3-6", "WC-22", "PR-02"})
    void receiveIsMissedBeforeTheKeyIsJudged() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(write(Opcode.RDMA_WRITE_ONLY_WITH_IMM, 0, 0, NO_KEY, 8, pattern(0, 8)));
            it.expects(rnr(0, 12)).raisesNothing();
        }
    }

    @Test
    @Rule({"H3-6", "WC-27"})
    void slotForAReadIsMissedBeforeTheKeyIsJudged() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withDepth(0))) {
            it.sends(readRequest(0, 0, NO_KEY, 8));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "WC-27");
        }
    }

    @Test
    @Rule({"H3-7", "WC-26"})
    void alignmentOfAnAtomicIsJudgedBeforeItsKey() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(fetchAdd(0, it.side.address(4), NO_KEY, 1));
            refused(it, 0, Syndrome.NAK_INVALID_REQUEST, EventType.QP_ACCESS_ERR, "WR-35");
        }
    }

    @Test
    @Rule({"H3-7", "H3-8", "WC-23"})
    void keyIsJudgedBeforeAnyByteIsTouched() {
        try (Dialogue it = Dialogue.begin()) {
            int last = (int) it.side.region.lengthBytes() - MTU;
            it.sends(write(Opcode.RDMA_WRITE_FIRST, 0, it.side.address(last), it.side.rkey(), MTU + 1, new byte[MTU]));
            refused(it, 0, Syndrome.NAK_REMOTE_ACCESS, EventType.QP_ACCESS_ERR, "MR-22");
            it.isUntouched(last, last + MTU);
        }
    }

    @Test
    @Rule({"H3-8", "WC-20"})
    void messageLongerThanItsReceiveIsFoundOutWhenItIsExecuted() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(64, 10)).postsReceive(2);
            it.sends(packet(Opcode.SEND_ONLY, 0, pattern(900, 11)));
            it.expects(nak(0, Syndrome.NAK_INVALID_REQUEST)).expectsNothing().raisesNothing();
            assertThat(it.received()).hasStatus(WcStatus.LOC_LEN_ERR).hasId(1).isExplainedBy("WC-20", "11", "10");
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    @Test
    @Rule({"H3-9", "ACK-04"})
    void acknowledgementAndCompletionFollowTheEffect() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(64, 16));
            it.sends(packet(Opcode.SEND_ONLY, 0, pattern(900, 16)).ackRequest(true));
            it.remembers(64, pattern(900, 16));
            assertThat(it.received()).isSuccess().hasByteLength(16);
            it.expects(ack(0));
        }
    }

    @Test
    @Rule({"WC-28", "H3-3"})
    void receiveOfAMessageThatIsNotGoneOnWithEndsInErrorAndRaisesNoEvent() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, 3 * MTU)).postsReceive(2);
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)), writeZeros(it, 1));
            it.expects(nak(1, Syndrome.NAK_INVALID_REQUEST)).raisesNothing();
            assertThat(it.received()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(1).isExplainedBy("WC-28");
            assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    @Test
    @Rule("WC-21")
    void receiveWhoseElementIsBadInTheSecondPacketOfItsMessageEndsInError() {
        try (Dialogue it = Dialogue.begin()) {
            it.postsReceive(1, it.side.sge(0, MTU), it.side.sge((int) it.side.region.lengthBytes(), 8));
            it.sends(packet(Opcode.SEND_FIRST, 0, pattern(0, MTU)), packet(Opcode.SEND_LAST, 1, pattern(0, 8)));
            it.expects(nak(1, Syndrome.NAK_REMOTE_OPERATIONAL)).raisesNothing();
            assertThat(it.received()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
        }
    }

    @Test
    @Rule({"PR-01", "ORD-36"})
    void onlyTheFirstOfSeveralErrorsIsTold() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(
                    writeZeros(it, 0),
                    write(Opcode.RDMA_WRITE_ONLY, 1, 0, NO_KEY, 8, pattern(0, 8)),
                    packet(Opcode.SEND_MIDDLE, 2, pattern(0, MTU)),
                    writeZeros(it, 7));
            it.expects(nak(1, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            assertEvent(it.event(), EventType.QP_ACCESS_ERR, it.side.qp);
            it.raisesNothing();
        }
    }

    private static void refused(Dialogue it, int psn, int syndrome, EventType type, String rule) {
        it.expects(nak(psn, syndrome)).expectsNothing();
        assertState(it.side.qp, QpState.ERR);
        AsyncEvent event = it.event();
        Refusal refusal = event == null ? null : event.refusal();
        assertEvent(event, type, it.side.qp);
        assertThat(refusal).extracting(Refusal::rule).isEqualTo(rule);
    }

    private static Packet writeZeros(Dialogue it, int psn) {
        return write(Opcode.RDMA_WRITE_ONLY, psn, it.side.address(0), it.side.rkey(), 64, new byte[64])
                .ackRequest(true);
    }
}
