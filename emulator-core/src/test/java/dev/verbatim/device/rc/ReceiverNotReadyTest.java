// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.ack;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;
import static dev.verbatim.testing.Packets.rnr;
import static dev.verbatim.testing.Packets.write;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.RnrTimer;
import dev.verbatim.wire.Syndrome;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver without a receive: what it says, and how its peer waits. */
class ReceiverNotReadyTest {

    private static final long TIMEOUT = AckTimeout.nanos(8);
    private static final int CODE = 14;
    private static final long WAIT = RnrTimer.nanos(CODE);

    static IntStream timerCodes() {
        return IntStream.range(0, 32);
    }

    @ParameterizedTest
    @MethodSource("timerCodes")
    @Rule("RT-04")
    void requesterWaitsExactlyTheTimeThatTheReceiverAsksFor(int code) {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), send(it, 2), send(it, 3)).takeAll();
            it.after(777).sends(rnr(1, code));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.posts(send(it, 4)).expectsNothing();
            it.after(RnrTimer.nanos(code) - 1).expectsNothing();
            it.after(1).expects(sendOnly(1), sendOnly(2), sendOnly(3)).expectsNothing();
        }
    }

    @ParameterizedTest
    @MethodSource("timerCodes")
    @Rule({"RT-04", "WC-22", "H3-6"})
    void responderAsksForTheTimeOfItsMinRnrTimer(int code) {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 7, 7, code))) {
            it.sends(sendOnly(0)).expects(rnr(0, code)).expectsNothing();
            assertState(it.side.qp, QpState.RTS);
            it.raisesNothing();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    @Rule({"RT-03", "TR-7"})
    void requesterGivesUpAtTheRnrNakAfterItsLastRetry(int rnrRetry) {
        try (Dialogue it = Dialogue.begin(rnrRetries(rnrRetry))) {
            it.posts(send(it, 1), send(it, 2)).expects(sendOnly(0), sendOnly(1));
            for (int retry = 0; retry < rnrRetry; retry++) {
                it.sends(rnr(0, CODE)).completesNothing();
                it.after(WAIT).expects(sendOnly(0), sendOnly(1));
            }
            it.sends(rnr(0, CODE));
            assertThat(it.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR).hasId(1).isExplainedBy("RT-03");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        }
    }

    @Test
    @Rule("RT-03")
    void sevenRnrRetriesAreForEver() {
        try (Dialogue it = Dialogue.begin(rnrRetries(7))) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            for (int retry = 0; retry < 100; retry++) {
                it.sends(rnr(0, CODE)).after(WAIT).expects(sendOnly(0));
            }
            it.sends(ack(0));
            assertThat(it.sent()).isSuccess();
        }
    }

    @Test
    @Rule("RT-03")
    void progressGivesAllRnrRetriesBack() {
        try (Dialogue it = Dialogue.begin(rnrRetries(1))) {
            it.posts(send(it, 1), send(it, 2)).takeAll();
            it.sends(rnr(0, CODE)).after(WAIT).takeAll();
            it.sends(rnr(1, CODE)).after(WAIT).expects(sendOnly(1));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.sends(rnr(1, CODE));
            assertThat(it.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR).hasId(2);
        }
    }

    @Test
    @Rule("TR-7")
    void senderWithTwoRetriesIsToldThreeTimesAndTheReceiverStaysWell() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 7, 7, CODE))) {
            for (int i = 0; i < 3; i++) {
                it.sends(sendOnly(0)).expects(nak(0, 0x2e)).expectsNothing();
            }
            assertState(it.side.qp, QpState.RTS);
            it.raisesNothing()
                    .postsReceive(1, it.side.sge(64, 8))
                    .sends(sendOnly(0))
                    .expects(ack(0));
            assertThat(it.received()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule({"RT-06", "PSN-02"})
    void responderDropsWhatIsBehindWithoutAWordUntilTheRequestComesAgain() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(sendOnly(0), sendOnly(1), sendOnly(2)).expects(rnr(0, 12)).expectsNothing();
            it.postsReceive(1, it.side.sge(64, 8)).postsReceive(2, it.side.sge(72, 8));
            it.sends(sendOnly(1)).expectsNothing().completesNothing();
            it.sends(sendOnly(0), sendOnly(1)).expects(ack(1));
            assertThat(it.received()).isSuccess().hasId(1);
            assertThat(it.received()).isSuccess().hasId(2);
            it.sends(sendOnly(3)).expects(nak(2, Syndrome.NAK_PSN_SEQUENCE));
        }
    }

    @Test
    @Rule({"PR-02", "H3-6"})
    void immediateWriteWithoutReceiveIsNotReadyBeforeItsKeyIsJudged() {
        try (Dialogue it = Dialogue.begin()) {
            Packet badKey = write(Opcode.RDMA_WRITE_ONLY_WITH_IMM, 0, it.side.address(0), 0xbad, 8, pattern(0, 8));
            it.sends(badKey).expects(rnr(0, 12)).expectsNothing();
            assertState(it.side.qp, QpState.RTS);
            it.postsReceive(1).sends(badKey).expects(nak(0, Syndrome.NAK_REMOTE_ACCESS));
            assertThat(it.received()).hasStatus(WcStatus.LOC_ACCESS_ERR).hasId(1);
        }
    }

    @Test
    @Rule({"PR-02", "RT-06"})
    void longImmediateWriteNeedsItsReceiveAtTheLastPacket() {
        try (Dialogue it = Dialogue.begin()) {
            it.sends(
                    write(Opcode.RDMA_WRITE_FIRST, 0, it.side.address(64), it.side.rkey(), MTU + 8, pattern(0, MTU)),
                    packet(Opcode.RDMA_WRITE_LAST_WITH_IMM, 1, pattern(MTU, 8)));
            it.expects(rnr(1, 12)).remembers(64, pattern(0, MTU)).isUntouched(64 + MTU, 72 + MTU);
            it.postsReceive(1).sends(packet(Opcode.RDMA_WRITE_LAST_WITH_IMM, 1, pattern(MTU, 8)));
            assertThat(it.received())
                    .isSuccess()
                    .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(MTU + 8);
            it.remembers(64, pattern(0, MTU + 8));
        }
    }

    @Test
    @Rule({"RT-04", "RT-05"})
    void requesterResumesInTheMiddleOfAMessage() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 2 * MTU))).takeAll();
            it.sends(rnr(1, CODE)).after(WAIT);
            it.expects(packet(Opcode.SEND_LAST, 1, pattern(MTU, MTU)).ackRequest(true));
        }
    }

    @Test
    @Rule("RT-04")
    void lateSequenceNakDoesNotCutTheWaitShort() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), send(it, 2)).takeAll();
            it.sends(rnr(0, 0), nak(0, Syndrome.NAK_PSN_SEQUENCE));
            it.after(RnrTimer.nanos(0) - 1).expectsNothing();
            it.after(1).expects(sendOnly(0), sendOnly(1));
        }
    }

    @Test
    @Rule("RT-04")
    void secondRnrNakDuringTheWaitIsNotASecondRetry() {
        try (Dialogue it = Dialogue.begin(rnrRetries(1))) {
            it.posts(send(it, 1)).takeAll();
            it.sends(rnr(0, CODE)).after(WAIT - 1).sends(rnr(0, CODE)).completesNothing();
            it.after(1).expects(sendOnly(0));
        }
    }

    @Test
    @Rule({"RT-01", "RT-04"})
    void acknowledgementDuringTheWaitLeavesNoTimerForTheNextRequest() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).takeAll();
            it.sends(rnr(0, CODE), ack(0)).after(WAIT).expectsNothing();
            assertThat(it.sent()).isSuccess();
            it.after(TIMEOUT / 2).posts(send(it, 2)).expects(sendOnly(1));
            it.after(TIMEOUT - 1).expectsNothing().after(1).expects(sendOnly(1));
        }
    }

    @Test
    @Rule("RT-01")
    void ackTimerDoesNotRunDuringTheWaitAndRunsAnewAfterIt() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL.withRetries(8, 0, 7, 12))) {
            it.posts(send(it, 1)).takeAll();
            it.sends(rnr(0, 0)).after(RnrTimer.nanos(0)).expects(sendOnly(0)).completesNothing();
            it.after(TIMEOUT - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
            Assertions.assertThat(RnrTimer.nanos(0)).isGreaterThan(TIMEOUT);
        }
    }

    private static RcConnection rnrRetries(int rnrRetry) {
        return Dialogue.USUAL.withRetries(8, 7, rnrRetry, 12);
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        return SendWorkRequest.send(id, it.side.sge(0, 4));
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 4)).ackRequest(true);
    }
}
