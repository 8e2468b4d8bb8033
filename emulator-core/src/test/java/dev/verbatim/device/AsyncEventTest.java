// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which causes raise an asynchronous event, on whose device, and which raise none (G.5). */
class AsyncEventTest {

    private static final int BAD_KEY = 0x77;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    @Test
    @Rule({"AE-04", "AE-21"})
    void keyViolationRaisesAccessErrorAtTheResponderAndNothingAtTheRequester() {
        post(SendWorkRequest.write(1, pair.right.address(0), BAD_KEY, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertEvent(pair.right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, pair.right.qp);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        assertThat(pair.left.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"AE-04", "AE-20"})
    void callbackIsToldOfEachEventAndTakesNone() {
        AtomicInteger told = new AtomicInteger();
        pair.right.device.inject(EventType.GID_CHANGE);
        AtomicInteger dropped = new AtomicInteger();
        pair.right.device.onAsyncEvent(told::incrementAndGet, dropped::incrementAndGet);
        assertThat(told).hasValue(1);
        assertThat(pair.right.device.hasAsyncEvent()).isTrue();
        assertThat(pair.right.device.pollAsyncEvent()).isNotNull();
        assertThat(pair.right.device.hasAsyncEvent()).isFalse();
        post(SendWorkRequest.write(1, pair.right.address(0), BAD_KEY, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertThat(told).hasValue(2);
        // Not taken, so it is no debt, and goes with its queue pair.
        assertThat(dropped).hasValue(0);
        pair.right.qp.close();
        assertThat(dropped).hasValue(1);
        assertThat(pair.right.device.hasAsyncEvent()).isFalse();
        pair.right.device.onAsyncEvent(null);
        pair.right.device.inject(EventType.GID_CHANGE);
        assertThat(told).hasValue(2);
    }

    @Test
    @Rule({"AE-04", "WC-26"})
    void misalignedAtomicRaisesAccessErrorAtTheResponder() {
        post(SendWorkRequest.fetchAndAdd(1, pair.right.address(3), pair.right.rkey(), 1, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertEvent(pair.right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, pair.right.qp);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"AE-04", "WC-27"})
    void oneReadMoreThanTheResponderHasResourcesForRaisesAccessErrorThere() {
        try (RcPair uneven = RcPair.inProcess(QpCapabilities.USUAL)) {
            connectWithDepths(uneven, 4, 1);
            SendWorkRequest read =
                    SendWorkRequest.read(1, uneven.right.address(0), uneven.right.rkey(), uneven.left.sge(0, 1 << 15));
            uneven.left.qp.postSend(List.of(read, read));
            assertThat(uneven.left.sent()).isSuccess();
            assertThat(uneven.left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
            assertEvent(uneven.right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, uneven.right.qp);
            assertThat(uneven.right.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("AE-21")
    void violationThatAReceiveCanReportRaisesNoEvent() {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(100, pair.right.sge(0, 8)));
        post(SendWorkRequest.send(1, pair.left.sge(0, 9)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertThat(pair.right.received()).hasStatus(WcStatus.LOC_LEN_ERR).hasId(100);
        assertState(pair.right.qp, QpState.ERR);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
        assertThat(pair.left.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule("AE-21")
    void errorFoundByTheRequesterRaisesNoEventAnywhere() {
        post(SendWorkRequest.send(1, new Sge(0, 8, BAD_KEY)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
        assertThat(pair.left.device.pollAsyncEvent()).isNull();
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule({"AE-05", "QP-27"})
    void firstPacketInReadyToReceiveEstablishesTheCommunicationOnce() {
        try (RcPair early = RcPair.inProcess(QpCapabilities.USUAL)) {
            RcConnection usual = RcConnection.USUAL;
            usual.readyToReceive(early.left.qp, RcConnection.Endpoint.of(early.right.qp, 3));
            usual.readyToReceive(early.right.qp, RcConnection.Endpoint.of(early.left.qp, 5));
            usual.readyToSend(early.left.qp, 5);
            early.right.qp.postRecv(ReceiveWorkRequest.of(100));
            early.right.qp.postRecv(ReceiveWorkRequest.of(101));
            assertThat(early.right.device.pollAsyncEvent()).isNull();

            early.left.qp.postSend(SendWorkRequest.send(1));
            assertThat(early.right.received()).isSuccess().hasId(100);
            assertEvent(early.right.device.pollAsyncEvent(), EventType.COMM_EST, early.right.qp);
            early.left.qp.postSend(SendWorkRequest.send(2));
            assertThat(early.right.received()).isSuccess().hasId(101);
            usual.readyToSend(early.right.qp, 3);
            early.left.qp.postRecv(ReceiveWorkRequest.of(200));
            early.right.qp.postSend(SendWorkRequest.send(3));
            assertThat(early.left.received()).isSuccess().hasId(200);
            assertThat(early.right.device.pollAsyncEvent()).isNull();
            assertThat(early.left.device.pollAsyncEvent()).as("in RTS").isNull();
        }
    }

    @Test
    @Rule("AE-22")
    void receiverNotReadyRaisesNoEvent() {
        try (RcPair impatient = RcPair.inProcess(QpCapabilities.USUAL)) {
            impatient.connect(RcConnection.USUAL.withRetries(14, 7, 0, 1));
            impatient.left.qp.postSend(SendWorkRequest.send(1, impatient.left.sge(0, 8)));
            assertThat(impatient.left.sent()).hasStatus(WcStatus.RNR_RETRY_EXC_ERR);
            assertState(impatient.right.qp, QpState.RTS);
            assertThat(impatient.right.device.pollAsyncEvent()).isNull();
            assertThat(impatient.left.device.pollAsyncEvent()).isNull();
        }
    }

    @Test
    @Rule("AE-20")
    void eventsComeInTheOrderOfTheirCausesAndAreGivenBackOnceEach() {
        QueuePair first = violated(pair.right);
        QueuePair second = violated(pair.right);
        AsyncEvent earlier = pair.right.device.getAsyncEvent(Await.LIMIT);
        AsyncEvent later = pair.right.device.getAsyncEvent(Await.LIMIT);
        assertThat(earlier.queuePair()).isSameAs(first);
        assertThat(later.queuePair()).isSameAs(second);
        assertRefused(Errno.ETIMEDOUT, "AE-20", () -> pair.right.device.getAsyncEvent(Duration.ofMillis(1)));

        assertRefused(Errno.EBUSY, "QP-06", first::close, "1 unacknowledged events");
        earlier.acknowledge();
        first.close();
        assertThatThrownBy(earlier::acknowledge)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("AE-20");
        later.acknowledge();
        second.close();
    }

    @Test
    @Rule("AE-20")
    void eventThatNobodyTookGoesWithItsQueuePair() {
        QueuePair first = violated(pair.right);
        QueuePair second = violated(pair.right);
        first.close();
        assertEvent(pair.right.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, second);
        assertThat(pair.right.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule("AE-20")
    void parkedThreadIsWokenByTheEvent() throws Exception {
        CompletableFuture<AsyncEvent> event =
                CompletableFuture.supplyAsync(() -> pair.right.device.getAsyncEvent(Await.LIMIT));
        QueuePair queuePair = violated(pair.right);
        assertThat(Await.result("an event", event).queuePair()).isSameAs(queuePair);
        asserted();
    }

    /** A new queue pair of the side that a peer's bad key has ended. */
    private QueuePair violated(dev.verbatim.testing.Side side) {
        QueuePair victim = side.pd.createQp(QpInitAttributes.rc(side.sendCq, side.recvCq, QpCapabilities.USUAL));
        QueuePair culprit =
                pair.left.pd.createQp(QpInitAttributes.rc(pair.left.sendCq, pair.left.recvCq, QpCapabilities.USUAL));
        RcConnection.connect(culprit, victim);
        culprit.postSend(SendWorkRequest.write(1, side.address(0), BAD_KEY, pair.left.sge(0, 8)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertState(victim, QpState.ERR);
        return victim;
    }

    private static void connectWithDepths(RcPair pair, int asked, int answered) {
        RcConnection requester = RcConnection.USUAL.withDepth(asked);
        RcConnection responder = RcConnection.USUAL.withDepth(answered);
        requester.readyToReceive(pair.left.qp, RcConnection.Endpoint.of(pair.right.qp, 3));
        responder.readyToReceive(pair.right.qp, RcConnection.Endpoint.of(pair.left.qp, 5));
        responder.readyToSend(pair.right.qp, 3);
        requester.readyToSend(pair.left.qp, 5);
    }

    private void post(SendWorkRequest request) {
        pair.left.qp.postSend(request);
    }
}
