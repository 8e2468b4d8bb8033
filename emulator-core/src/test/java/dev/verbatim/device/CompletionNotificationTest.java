// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a completion raises a completion event. Left sends, right receives, both sides' queues have a channel. */
class CompletionNotificationTest {

    private static final boolean ANY = false;
    private static final boolean SOLICITED = true;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private CompletionChannel sendChannel;
    private CompletionChannel receiveChannel;
    private CompletionQueue sendCq;
    private CompletionQueue receiveCq;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void connect() {
        sendChannel = pair.left.device.createCompletionChannel();
        receiveChannel = pair.right.device.createCompletionChannel();
        sendCq = pair.left.device.createCq(64, "sends", sendChannel, 0);
        receiveCq = pair.right.device.createCq(64, "receives", receiveChannel, 0);
        sender = pair.left.pd.createQp(QpInitAttributes.rc(sendCq, pair.left.recvCq, QpCapabilities.USUAL));
        receiver = pair.right.pd.createQp(QpInitAttributes.rc(pair.right.sendCq, receiveCq, QpCapabilities.USUAL));
        RcConnection.connect(sender, receiver);
        for (int id = 1; id <= 16; id++) {
            receiver.postRecv(ReceiveWorkRequest.of(id, pair.right.sge(64 * id, 64)));
        }
    }

    @Test
    @Rule({"NT-01", "NT-04", "CC-01"})
    void armedQueueAnnouncesTheNextCompletionAndThenNoMore() {
        sender.postSend(send(1));
        receiveCq.requestNotify(ANY);
        assertThat(receiveChannel.pollEvent()).as("what was there before").isNull();

        sender.postSend(send(2));
        sender.postSend(send(3));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveChannel.pollEvent()).isNull();
        for (int id = 1; id <= 3; id++) {
            assertThat(receiveCq.awaitCompletion(Await.LIMIT)).isSuccess().hasId(id);
        }

        receiveCq.requestNotify(ANY);
        sender.postSend(send(4));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
    }

    @Test
    @Rule("NT-04")
    void queueThatIsNotArmedAnnouncesNothing() {
        sender.postSend(send(1));
        assertThat(receiveCq.awaitCompletion(Await.LIMIT)).isSuccess();
        assertThat(receiveChannel.pollEvent()).isNull();
    }

    @Test
    @Rule({"NT-01", "NT-07"})
    void sendCompletionsAreAnnouncedToo() {
        sendCq.requestNotify(ANY);
        sender.postSend(write(1));
        acknowledge(sendChannel.getEvent(Await.LIMIT), sendCq);
        assertThat(sendCq.awaitCompletion(Await.LIMIT)).isSuccess();
    }

    @Test
    @Rule("NT-02")
    void queueArmedForSolicitedOnlyPassesOverPlainMessages() {
        receiveCq.requestNotify(SOLICITED);
        sender.postSend(send(1));
        sender.postSend(send(2).plus(SendFlags.INLINE));
        assertThat(receiveChannel.pollEvent()).isNull();

        sender.postSend(send(3).plus(SendFlags.SOLICITED));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveChannel.pollEvent()).isNull();
        assertThat(receiveCq.poll(16)).hasSize(3);
    }

    @Test
    @Rule("NT-02")
    void lastPacketOfALongMessageAndWriteWithImmediateCanSolicit() {
        receiver.postRecv(ReceiveWorkRequest.of(90, pair.right.sge(4096, 4096)));
        for (int id = 1; id <= 16; id++) {
            sender.postSend(send(id));
        }
        receiveCq.requestNotify(SOLICITED);
        sender.postSend(SendWorkRequest.send(17, pair.left.sge(0, 3000)).plus(SendFlags.SOLICITED));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);

        receiver.postRecv(ReceiveWorkRequest.of(91));
        receiveCq.requestNotify(SOLICITED);
        sender.postSend(
                SendWorkRequest.writeWithImmediate(18, pair.right.address(0), pair.right.rkey(), 7, pair.left.sge(0, 8))
                        .plus(SendFlags.SOLICITED));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveCq.poll(32)).hasSize(18);
    }

    @Test
    @Rule("NT-02")
    void queueArmedForSolicitedOnlyAnnouncesEveryFailure() {
        receiveCq.requestNotify(SOLICITED);
        sendCq.requestNotify(SOLICITED);
        sender.postSend(write(1));
        assertThat(sendCq.awaitCompletion(Await.LIMIT)).isSuccess();
        assertThat(sendChannel.pollEvent()).as("of a success").isNull();

        sender.postSend(SendWorkRequest.write(2, 0, 0x99, pair.left.sge(0, 8)));
        acknowledge(sendChannel.getEvent(Await.LIMIT), sendCq);
        assertThat(sendCq.awaitCompletion(Await.LIMIT)).hasStatus(WcStatus.REM_ACCESS_ERR);
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveCq.awaitCompletion(Await.LIMIT)).hasStatus(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @Rule("NT-02")
    void failureOfAReceiveIsAnnouncedAlthoughItsMessageDidNotSolicit() {
        receiveCq.requestNotify(SOLICITED);
        sender.postSend(SendWorkRequest.send(1, pair.left.sge(0, 65)));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveCq.awaitCompletion(Await.LIMIT)).hasStatus(WcStatus.LOC_LEN_ERR);
    }

    @Test
    @Rule({"NT-03", "NT-01"})
    void armedForAnyStaysSoWhenArmedForSolicited() {
        receiveCq.requestNotify(ANY);
        receiveCq.requestNotify(SOLICITED);
        sender.postSend(send(1));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveChannel.pollEvent()).isNull();
    }

    @Test
    @Rule({"NT-03", "NT-01"})
    void armedForSolicitedBecomesArmedForAny() {
        receiveCq.requestNotify(SOLICITED);
        receiveCq.requestNotify(ANY);
        sender.postSend(send(1));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        sender.postSend(send(2).plus(SendFlags.SOLICITED));
        assertThat(receiveChannel.pollEvent()).isNull();
    }

    @Test
    @Rule("NT-03")
    void armingManyTimesIsArmingOnce() {
        for (int i = 0; i < 5; i++) {
            receiveCq.requestNotify(ANY);
        }
        sender.postSend(send(1));
        sender.postSend(send(2));
        acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        assertThat(receiveChannel.pollEvent()).isNull();
    }

    @Test
    @Rule("NT-05")
    void eventsOfAChannelThatNobodyReadsWaitOneForEachFiring() {
        for (int id = 1; id <= 5; id++) {
            receiveCq.requestNotify(ANY);
            sender.postSend(send(id));
        }
        for (int id = 1; id <= 5; id++) {
            acknowledge(receiveChannel.getEvent(Await.LIMIT), receiveCq);
        }
        assertThat(receiveChannel.pollEvent()).isNull();
        assertThat(receiveCq.poll(16)).hasSize(5);
    }

    @Test
    @Rule("NT-05")
    void eventsThatNobodyReadsAreMergedBeforeTheyFillTheMemory() {
        int firings = 3000;
        for (int i = 0; i < firings; i++) {
            sendCq.requestNotify(ANY);
            sender.postSend(write(i));
            assertThat(sendCq.awaitCompletion(Await.LIMIT)).isSuccess();
        }
        int events = 0;
        for (CompletionEvent event = sendChannel.pollEvent(); event != null; event = sendChannel.pollEvent()) {
            event.acknowledge();
            events++;
        }
        assertThat(events).isBetween(1, firings - 1);
        sendCq.requestNotify(ANY);
        sender.postSend(write(-1));
        acknowledge(sendChannel.getEvent(Await.LIMIT), sendCq);
    }

    @Test
    @Rule("NT-08")
    void solicitedOnAPlainWriteHasNoEffect() {
        receiveCq.requestNotify(ANY);
        sender.postSend(write(1).plus(SendFlags.SOLICITED));
        assertThat(sendCq.awaitCompletion(Await.LIMIT)).isSuccess();
        assertThat(receiveChannel.pollEvent()).isNull();
        assertThat(receiveCq.poll(1)).isEmpty();
        assertState(receiver, QpState.RTS);
    }

    private SendWorkRequest send(long id) {
        return SendWorkRequest.send(id, pair.left.sge(0, 8));
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }

    private static void acknowledge(CompletionEvent event, CompletionQueue of) {
        assertThat(event).isNotNull();
        assertThat(event.cq()).isSameAs(of);
        asserted();
        event.acknowledge();
    }
}
