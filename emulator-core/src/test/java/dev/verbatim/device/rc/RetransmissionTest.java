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

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a requester sends again because no answer came, and when it gives up. */
class RetransmissionTest {

    private static final long TIMEOUT = AckTimeout.nanos(8);

    /** Longer than any lane is late that is only busy. */
    private static final long LONG_PAUSE = 50_000_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 12, 14, 17, 18, 20, 31})
    @Rule({"RT-01", "TV-06"})
    void requestIsSentAgainExactlyWhenItsTimeoutIsOver(int code) {
        try (Dialogue it = Dialogue.begin(retries(code, 1))) {
            it.after(12345).posts(send(it, 1)).expects(sendOnly(0));
            it.after(AckTimeout.nanos(code) - 1).expectsNothing();
            it.after(1).expects(sendOnly(0)).expectsNothing().completesNothing();
            it.after(AckTimeout.nanos(code) - 1).completesNothing();
            it.after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=1");
        }
    }

    @Test
    @Rule("RT-01")
    void timeoutZeroNeverFires() {
        try (Dialogue it = Dialogue.begin(retries(0, 7))) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            Assertions.assertThat(it.fabric.lane().nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
            it.after(1L << 60).expectsNothing().completesNothing().sends(ack(0));
            assertThat(it.sent()).isSuccess();
        }
    }

    @Test
    @Rule("RT-01")
    void linkThatLosesNothingIsGivenFourTimesTheTimeout() {
        try (Dialogue it = Dialogue.begin().linkIsReliable(true)) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.after(4 * TIMEOUT - 1).expectsNothing();
            it.linkIsReliable(false).after(1).expects(sendOnly(0));
            it.after(TIMEOUT - 1).expectsNothing().after(1).expects(sendOnly(0));
        }
    }

    @Test
    @Rule("RT-01")
    void timeInWhichTheLaneWasHeldUpIsNoSilenceOfThePeer() {
        try (Dialogue it = Dialogue.begin(retries(8, 0))) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            for (int pause = 0; pause < 10; pause++) {
                it.afterBeingHeldUpFor(LONG_PAUSE).completesNothing();
            }
            it.after(TIMEOUT - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("RT-01")
    void progressStartsTheTimerAnewAndAnswersWithoutProgressDoNot() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1), send(it, 2)).expects(sendOnly(0), sendOnly(1));
            it.after(TIMEOUT - 10).sends(ack(0)).after(TIMEOUT - 10);
            it.sends(ack(0), nak(0, Syndrome.NAK_REMOTE_ACCESS)).expectsNothing();
            it.after(9).expectsNothing().after(1).expects(sendOnly(1));
        }
    }

    @Test
    @Rule("RT-01")
    void timerOfARequestRunsFromWhenItWasSentAndNotFromThePosting() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).after(TIMEOUT - 1).expects(sendOnly(0));
            it.after(TIMEOUT - 1).expectsNothing().after(1).expects(sendOnly(0));
        }
    }

    @Test
    @Rule("RT-01")
    void laterRequestDoesNotPutOffTheTimerOfAnEarlierOne() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).expects(sendOnly(0)).after(TIMEOUT - 1);
            it.posts(send(it, 2)).expects(sendOnly(1)).after(1).expects(sendOnly(0), sendOnly(1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @Rule({"RT-02", "WC-36"})
    void silenceIsEndedAfterRetryCountResends(int retryCount) {
        try (Dialogue it = Dialogue.begin(retries(8, retryCount))) {
            it.posts(send(it, 1), send(it, 2)).expects(sendOnly(0), sendOnly(1)).expectsNothing();
            for (int retry = 0; retry < retryCount; retry++) {
                it.after(TIMEOUT).expects(sendOnly(0), sendOnly(1)).expectsNothing();
                it.completesNothing();
            }
            it.after(TIMEOUT).expectsNothing();
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1).isExplainedBy("WC-36");
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(it.side.qp, QpState.ERR);
        }
    }

    @Test
    @Rule("RT-02")
    void sevenMayMeanForEver() {
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().infiniteRetrySeven(true).build();
        try (Dialogue it = Dialogue.unconnected(profile).connect(retries(8, 7), 0, 0)) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            for (int retry = 0; retry < 50; retry++) {
                it.after(TIMEOUT).expects(sendOnly(0));
            }
            it.sends(ack(0));
            assertThat(it.sent()).isSuccess();
        }
    }

    @Test
    @Rule("RT-02")
    void progressGivesAllRetriesBack() {
        try (Dialogue it = Dialogue.begin(retries(8, 1))) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 2 * MTU))).takeAll();
            it.after(TIMEOUT).takeAll();
            it.sends(ack(0)).after(TIMEOUT).expects(sendLast(1)).completesNothing();
            it.after(TIMEOUT);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule({"WC-37", "RT-02"})
    void sequenceNakInEveryRoundEndsInRetryExceeded() {
        try (Dialogue it = Dialogue.begin(retries(8, 2))) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE)).expects(sendOnly(0));
            it.after(TIMEOUT).expects(sendOnly(0));
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE));
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-37", "psn=0", "retry_cnt=2");
        }
    }

    @Test
    @Rule("RT-02")
    void sequenceNakThatComesTwiceIsOneRound() {
        try (Dialogue it = Dialogue.begin(retries(8, 1))) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            Packet nak = nak(0, Syndrome.NAK_PSN_SEQUENCE);
            it.sends(nak, nak).expects(sendOnly(0)).sends(nak).expectsNothing().completesNothing();
        }
    }

    @Test
    @Rule("RT-01")
    void timeoutAfterASequenceNakRunsFromTheResend() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).expects(sendOnly(0)).after(TIMEOUT - 1);
            it.sends(nak(0, Syndrome.NAK_PSN_SEQUENCE)).expects(sendOnly(0));
            it.after(TIMEOUT - 1).expectsNothing().after(1).expects(sendOnly(0));
        }
    }

    @Test
    @Rule("RT-02")
    void retryCountChangedInSqdHoldsForTheNextRequest() {
        try (Dialogue it = Dialogue.begin(retries(8, 0))) {
            it.side.qp.modify(new QpAttributes().state(QpState.SQD));
            it.side.qp.modify(
                    new QpAttributes().state(QpState.SQD).retryCount(1).timeout(9));
            it.side.qp.modify(new QpAttributes().state(QpState.RTS));
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.after(2 * TIMEOUT - 1).expectsNothing().after(1).expects(sendOnly(0));
            it.after(2 * TIMEOUT);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36", "retry_cnt=1");
        }
    }

    @Test
    @Rule({"RT-05", "QP-26"})
    void drainingQueuePairSendsAgainWhatItHadStartedAndNothingElse() {
        try (Dialogue it = Dialogue.begin()) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.side.qp.modify(new QpAttributes().state(QpState.SQD));
            it.posts(send(it, 2)).expectsNothing();
            it.after(TIMEOUT).expects(sendOnly(0)).expectsNothing();
            it.sends(ack(0));
            assertThat(it.sent()).isSuccess().hasId(1);
            it.after(10 * TIMEOUT).expectsNothing();
            it.side.qp.modify(new QpAttributes().state(QpState.RTS));
            it.expects(sendOnly(1));
        }
    }

    @Test
    @Rule({"RT-01", "QP-24"})
    void resetAndErrorStopTheTimer() {
        try (Dialogue it = Dialogue.begin(retries(8, 1))) {
            it.posts(send(it, 1)).expects(sendOnly(0)).after(TIMEOUT / 2);
            it.side.qp.modify(new QpAttributes().state(QpState.RESET));
            it.connect(retries(8, 1), 500, 500);
            it.posts(send(it, 2)).expects(sendOnly(500)).after(TIMEOUT - 1).expectsNothing();
            it.after(1).expects(sendOnly(500));
            it.side.qp.modify(new QpAttributes().state(QpState.ERR));
            assertThat(it.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            it.after(10 * TIMEOUT).expectsNothing().completesNothing();
            it.side.qp.close();
            it.after(10 * TIMEOUT).expectsNothing();
        }
    }

    @Test
    @Rule({"N-05", "RT-02"})
    void linkThatStaysBrokenEndsInRetryExceededEvenIfItSaysItIsReliable() {
        try (Dialogue it = Dialogue.begin(retries(8, 2)).linkIsReliable(true)) {
            it.posts(send(it, 1)).expects(sendOnly(0));
            it.after(3 * 4 * TIMEOUT - 1).completesNothing().after(1);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).isExplainedBy("WC-36");
        }
    }

    @Test
    @Rule("PSN-05")
    void firstPsnThatThePeerDoesNotExpectEndsInRetryExceeded() {
        try (Dialogue it = Dialogue.begin(retries(8, 1), 100, 0)) {
            it.posts(send(it, 1)).expects(sendOnly(100));
            it.sends(nak(50, Syndrome.NAK_PSN_SEQUENCE), ack(499)).expectsNothing();
            it.after(TIMEOUT).expects(sendOnly(100));
            it.sends(nak(50, Syndrome.NAK_PSN_SEQUENCE), ack(499)).after(TIMEOUT);
            assertThat(it.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @Rule("PSN-05")
    void requestFromBeforeTheBeginningIsNotAcknowledged() {
        try (Dialogue it = Dialogue.begin(Dialogue.USUAL, 0, 100)) {
            it.postsReceive(1, it.side.sge(64, 8));
            it.sends(sendOnly(99), sendOnly(98)).expectsNothing().completesNothing();
            it.sends(sendOnly(100), sendOnly(99)).expects(ack(100)).expectsNothing();
        }
    }

    private static RcConnection retries(int timeoutCode, int retryCount) {
        return Dialogue.USUAL.withRetries(timeoutCode, retryCount, 7, 12);
    }

    private static SendWorkRequest send(Dialogue it, long id) {
        return SendWorkRequest.send(id, it.side.sge(0, 4));
    }

    private static Packet sendOnly(int psn) {
        return packet(Opcode.SEND_ONLY, psn, pattern(0, 4)).ackRequest(true);
    }

    private static Packet sendLast(int psn) {
        return packet(Opcode.SEND_LAST, psn, pattern(MTU, MTU)).ackRequest(true);
    }
}
