// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failed and missing completions lead to their root: what ended the queue pair, what the peer refused, why nothing came. */
class CausesTest {

    private static final QpAttributes TO_ERR = new QpAttributes().state(QpState.ERR);
    private static final RcConnection SOON_OVER = RcConnection.USUAL.withRetries(8, 2, 3, 12);
    private static final int WRONG_KEY = 0x7777;

    private static RcPair simulated(RcConnection connection) {
        return RcPair.over(Verbatim.over(new LossyFabric(1, LinkFaults.NONE)), QpCapabilities.USUAL)
                .connect(connection);
    }

    private static Stream<Supplier<RcPair>> pairs() {
        return Stream.of(RcPair::inProcess, () -> simulated(RcConnection.USUAL));
    }

    private static SendWorkRequest write(RcPair pair, long id, int rkey) {
        return SendWorkRequest.write(id, pair.right.address(0), rkey, pair.left.sge(0, 8));
    }

    private static Refusal refusal(WorkCompletion completion) {
        return Objects.requireNonNull(completion.refusal());
    }

    private static String root(WorkCompletion completion) {
        return refusal(completion).root().toString();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Rule({"WC-45", "QP-22", "WC-40"})
    void remoteErrorCarriesTheSentenceOfTheResponderAndSoDoesWhatIsFlushed(Supplier<RcPair> maker) {
        try (RcPair pair = maker.get()) {
            pair.left.qp.postRecv(ReceiveWorkRequest.of(9));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(8));
            pair.left.qp.postSend(List.of(write(pair, 1, WRONG_KEY), write(pair, 2, pair.right.rkey())));
            WorkCompletion failed = pair.left.sent();
            assertThat(failed).hasId(1).hasStatus(WcStatus.REM_ACCESS_ERR);
            Refusal reason = refusal(failed);
            assertThat(reason.rule()).isEqualTo("WC-45");
            assertThat(Objects.requireNonNull(reason.cause()).toString()).contains("0x00007777", "[KEY-04]");
            WorkCompletion flushed = pair.left.sent();
            assertThat(flushed).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR).isExplainedBy("QP-22", "wr_id=2");
            assertThat(refusal(flushed).cause()).isSameAs(reason);
            assertThat(refusal(pair.left.received()).cause()).isSameAs(reason);
            // At the responder the same sentence, without a detour.
            assertThat(root(pair.right.received())).isEqualTo(root(failed));
            assertThat(pair.tap.events(TraceEvent.Completed.class))
                    .filteredOn(event ->
                            event.workRequestId() == 1 && event.device().equals("left"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.refusal().toString()).contains("caused by", "[KEY-04]"));
        }
    }

    @Test
    @Rule("WC-45")
    void sentenceOfTheResponderOutlivesItsQueuePair() {
        try (RcPair pair = simulated(RcConnection.USUAL)) {
            pair.left.qp.postSend(write(pair, 1, WRONG_KEY));
            while (pair.tap.sentBy("right").isEmpty()) {
                assertThat(pair.left.sendCq.poll(1)).isEmpty();
            }
            pair.right.qp.close();
            assertThat(root(pair.left.sent())).contains("0x00007777");
        }
    }

    @Test
    @Rule({"QP-22", "QP-23", "QP-24"})
    void flushNamesTheModifyOrTheReasonThatAProgramGave() {
        try (RcPair pair = RcPair.inProcess()) {
            pair.left.qp.modify(TO_ERR);
            pair.left.qp.postRecv(ReceiveWorkRequest.of(1));
            assertThat(root(pair.left.received())).contains("a program set qp " + pair.left.qp.number());
            Refusal own = Refusal.of(dev.verbatim.verbs.Rule.QP_22, "the server shuts down");
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            pair.right.qp.modify(new QpAttributes().state(QpState.ERR).reason(own));
            assertThat(refusal(pair.right.received()).cause()).isSameAs(own);
            assertThat(pair.right.qp.query().reason()).isSameAs(own);
            pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
            assertThat(pair.right.qp.query().reason()).isNull();
        }
    }

    @Test
    @Rule({"WC-36", "QP-28", "QP-07", "QP-29"})
    void exhaustedRetriesNameWhyThePeerIsSilent() {
        assertThat(silence(pair -> pair.right.qp.modify(TO_ERR)))
                .contains("retry_cnt=2 is used up", "does not receive in ERR", "a program set qp");
        assertThat(silence(pair -> pair.right.qp.modify(new QpAttributes().state(QpState.RESET))))
                .contains("does not receive in RESET");
        assertThat(silence(CausesTest::resetRightAfterAnError))
                .contains("does not receive in RESET")
                .doesNotContain("a program set");
        assertThat(silence(pair -> pair.right.qp.close())).contains("device right has no qp ");
        assertThat(silence(pair -> pair.right.device.closeAll())).contains("was closed");
        assertThat(silence(CausesTest::connectRightToAnother)).contains("is connected to qp ");
    }

    private static void resetRightAfterAnError(RcPair pair) {
        pair.right.qp.modify(TO_ERR);
        pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
    }

    private static void connectRightToAnother(RcPair pair) {
        pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
        RcConnection.Endpoint left = RcConnection.Endpoint.of(pair.left.qp, pair.left.qp.number());
        SOON_OVER.readyToReceive(pair.right.qp, new RcConnection.Endpoint(left.gid(), 77, left.psn()));
    }

    private interface Break {
        void of(RcPair pair);
    }

    private static String silence(Break what) {
        try (RcPair pair = simulated(SOON_OVER)) {
            what.of(pair);
            pair.left.qp.postSend(write(pair, 1, pair.right.rkey()));
            WorkCompletion failed = pair.left.sent();
            assertThat(failed).hasStatus(WcStatus.RETRY_EXC_ERR);
            return failed.explanation();
        }
    }

    @Test
    @Rule({"QP-29", "N-05"})
    void exhaustedRetriesNameTheLinkThatIsCut() {
        LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);
        try (RcPair pair =
                RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL).connect(SOON_OVER)) {
            fabric.cut(pair.right.device.gid(), pair.left.device.gid());
            pair.left.qp.postSend(write(pair, 1, pair.right.rkey()));
            assertThat(pair.left.sent().explanation()).contains("the link between ", " is cut");
        }
    }

    @Test
    @Rule({"WC-22", "RT-03"})
    void receiverNotReadyTellsHowLongAndHowOften() {
        try (RcPair pair = simulated(SOON_OVER)) {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            WorkCompletion failed = pair.left.sent();
            // Three waits of 640 us each, and the way there and back.
            assertThat(failed)
                    .hasStatus(WcStatus.RNR_RETRY_EXC_ERR)
                    .isExplainedBy("RT-03", "no receive at qp " + pair.right.qp.number() + " of ", "4 RNR NAKs");
            assertThat(failed.explanation()).containsPattern("for 19[2-9]\\d us");
        }
    }

    @Test
    @Rule({"WC-03", "WC-04"})
    void waitInVainListsWhatIsOutstandingAndWhyThePeerIsSilent() {
        try (RcPair pair = simulated(RcConnection.USUAL.withRetries(20, 7, 7, 12))) {
            pair.right.qp.modify(TO_ERR);
            pair.left.qp.postRecv(ReceiveWorkRequest.of(4));
            pair.left.qp.postSend(List.of(write(pair, 5, 1), write(pair, 6, 1)));
            VerbsException end = end(pair.left, Duration.ofSeconds(10));
            assertThat(end.errno().name()).isEqualTo("ETIMEDOUT");
            assertThat(Objects.requireNonNull(end.refusal().cause()).rule()).isEqualTo("WC-03");
            assertThat(end.getMessage())
                    .contains(
                            "qp " + pair.left.qp.number() + " in RTS to qp " + pair.right.qp.number() + " of ",
                            "send requests=2, the oldest RDMA_WRITE wr_id=5, receives=1, retry 2 of 7",
                            "does not receive in ERR");
        }
    }

    @Test
    @Rule({"WC-03", "WC-04"})
    void waitInVainCountsTheNaksOfAReceiverWithoutReceives() {
        try (RcPair pair = simulated(RcConnection.USUAL)) {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)).unsignaled());
            assertThat(end(pair.left, Duration.ofMillis(64)).getMessage())
                    .containsPattern(
                            "the oldest SEND wr_id=1, without SIGNALED, receives=0, no receive at qp \\d+ of .* for 6\\d+ us, \\d+ RNR NAKs");
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            assertThat(pair.right.received()).isSuccess();
            assertThat(end(pair.left, Duration.ofMillis(64)).getMessage())
                    .contains(
                            "nothing is posted that could complete",
                            "none of send requests=1 is outstanding, without SIGNALED");
        }
    }

    @Test
    @Rule({"N15", "RT-07"})
    void anHourWithoutAReceiveCostsNothing() {
        try (RcPair pair = simulated(RcConnection.USUAL)) {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            String end = end(pair.left, Duration.ofHours(1)).getMessage();
            Matcher naks = Pattern.compile("for 3\\d{9} us, (\\d+) RNR NAKs").matcher(end);
            assertThat(naks.find()).as(end).isTrue();
            assertThat(Integer.parseInt(naks.group(1))).isBetween(64, 1000);
            // It comes by at most that part of the wait later.
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, pair.right.sge(0, 8)));
            assertThat(pair.right.recvCq.awaitCompletion(Duration.ofMinutes(1)).isSuccess())
                    .isTrue();
        }
    }

    @Test
    @Rule({"WC-04", "N-08"})
    void waitThatCanNeverEndListsTheSame() {
        try (RcPair pair = simulated(RcConnection.USUAL)) {
            VerbsException end = end(pair.left, Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(end.errno().name()).isEqualTo("EDEADLK");
            assertThat(end.getMessage())
                    .contains("nothing is posted that could complete: qp ", ": no send request, receives=0");
        }
    }

    @Test
    @Rule({"RT-03", "N-08"})
    void waitInWhichNothingButRetriesWithoutEndHappensCanNeverEnd() {
        try (RcPair pair = simulated(RcConnection.USUAL)) {
            pair.left.qp.postSend(SendWorkRequest.send(1, pair.left.sge(0, 8)));
            VerbsException end = end(pair.left, Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(end.errno().name()).isEqualTo("EDEADLK");
            assertThat(end.getMessage()).contains("RNR NAKs", "rnr_retry=7 asks for ever; post a receive to qp ");
            assertThat(pair.tap.sentBy("left")).as("packets").hasSizeLessThan(8);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(2, pair.right.sge(0, 8)));
            assertThat(pair.left.sent()).as("the retry goes on where it was").isSuccess();
        }
    }

    private static VerbsException end(Side side, Duration patience) {
        try {
            throw new AssertionError(side.sendCq.awaitCompletion(patience));
        } catch (VerbsException e) {
            return e;
        }
    }

    @Test
    @Rule({"NT-01", "NT-06"})
    void waitForAnEventSaysThatNoQueueIsArmed() {
        try (Verbatim door = Verbatim.over(new LossyFabric(1, LinkFaults.NONE))) {
            Side side = armable(door);
            var channel = Objects.requireNonNull(side.sendCq.channel());
            assertThat(message(() -> channel.getEvent(Duration.ofSeconds(1))))
                    .contains("none of the 2 completion queues of this channel is armed, and 0 completions wait");
            side.sendCq.requestNotify(false);
            assertThat(message(() -> channel.getEvent(Duration.ofSeconds(1))))
                    .contains("nothing is posted that could complete");
        }
    }

    private static Side armable(Verbatim door) {
        var device = door.open("one");
        return new Side(device, QpCapabilities.USUAL, device.createCompletionChannel());
    }

    private static String message(Runnable wait) {
        try {
            wait.run();
            throw new AssertionError("the wait ended");
        } catch (VerbsException e) {
            return e.getMessage();
        }
    }
}
