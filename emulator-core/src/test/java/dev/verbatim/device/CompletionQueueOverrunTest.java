// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when a completion finds its queue full (CQ-03). Queues have four entries here. */
@Rule("T-10")
class CompletionQueueOverrunTest {

    private static final int ENTRIES = 4;

    /** Has a timer, whose thread may carry out what a test posts. */
    private static final RcConnection QUICK = RcConnection.USUAL.withRetries(8, 0, 7, 12);

    private static final DeviceProfile DROPS_NEWEST = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("DROPS_NEWEST")
            .completions(CompletionSwitches.STRICT.toBuilder()
                    .cqOverrun(CompletionSwitches.CqOverrun.DROPS_NEWEST)
                    .build())
            .build();

    @Test
    @Rule({"CQ-03", "AE-01", "AE-02", "AE-20", "WC-04", "WC-47"})
    void oneSendCompletionTooManyBreaksTheQueueAndItsQueuePairAndLeavesTheGoodOnes() {
        try (RcPair pair = RcPair.inProcess()) {
            CompletionQueue small = pair.left.device.createCq(ENTRIES);
            QueuePair sender = queuePair(pair.left, small, pair.left.recvCq);
            QueuePair receiver = queuePair(pair.right, pair.right.sendCq, pair.right.recvCq);
            RcPair.WITHOUT_TIMER.join(sender, receiver);
            sender.postRecv(ReceiveWorkRequest.of(70));

            for (int id = 1; id <= ENTRIES; id++) {
                sender.postSend(write(pair, id));
            }
            assertState(sender, QpState.RTS);
            sender.postSend(write(pair, 5));

            AsyncEvent broken = pair.left.device.getAsyncEvent(Await.LIMIT);
            assertThat(broken).isNotNull();
            assertThat(broken.type()).isEqualTo(EventType.CQ_ERR);
            assertThat(broken.completionQueue()).isSameAs(small);
            assertThat(broken.queuePair()).isNull();
            assertEvent(pair.left.device.getAsyncEvent(Await.LIMIT), EventType.QP_FATAL, sender);
            assertState(sender, QpState.ERR);

            List<WorkCompletion> good = small.poll(16);
            assertThat(good).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L, 4L);
            good.forEach(completion -> assertThat(completion).isSuccess());
            assertRefused(Errno.EIO, "WC-04", () -> small.poll(1), "qp " + sender.number(), "[CQ-03]");
            assertRefused(Errno.EIO, "WC-04", () -> small.awaitCompletion(Await.LIMIT));
            // The other queue works: the receive is flushed there.
            assertThat(pair.left.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(70);
            broken.acknowledge();
            sender.close();
            small.close();
        }
    }

    @Test
    @Rule({"CQ-03", "AE-02"})
    void everyQueuePairAttachedForSendingOrReceivingFallsAndNoOtherDoes() {
        try (RcPair pair = RcPair.inProcess()) {
            CompletionQueue small = pair.left.device.createCq(ENTRIES);
            QueuePair sends = queuePair(pair.left, small, pair.left.recvCq);
            QueuePair receives = queuePair(pair.left, pair.left.sendCq, small);
            QueuePair idle = queuePair(pair.left, small, small);
            QueuePair[] peers = new QueuePair[2];
            for (int i = 0; i < peers.length; i++) {
                peers[i] = queuePair(pair.right, pair.right.sendCq, pair.right.recvCq);
            }
            QUICK.join(sends, peers[0]);
            QUICK.join(receives, peers[1]);
            receives.postSend(write(pair, 90).unsignaled());
            for (int id = 1; id <= ENTRIES + 1; id++) {
                receives.postRecv(ReceiveWorkRequest.of(id, pair.left.sge(64 * id, 8)));
            }

            for (int id = 1; id <= ENTRIES; id++) {
                peers[1].postSend(SendWorkRequest.send(id, pair.right.sge(0, 8)));
                assertThat(pair.right.sent()).isSuccess().hasId(id);
            }
            peers[1].postSend(SendWorkRequest.send(5, pair.right.sge(0, 8)));

            AsyncEvent broken = pair.left.device.getAsyncEvent(Await.LIMIT);
            assertThat(broken).extracting(AsyncEvent::type).isEqualTo(EventType.CQ_ERR);
            assertEvent(pair.left.device.getAsyncEvent(Await.LIMIT), EventType.QP_FATAL, sends);
            assertEvent(pair.left.device.getAsyncEvent(Await.LIMIT), EventType.QP_FATAL, receives);
            assertEvent(pair.left.device.getAsyncEvent(Await.LIMIT), EventType.QP_FATAL, idle);
            assertThat(pair.left.device.pollAsyncEvent()).isNull();
            assertState(sends, QpState.ERR);
            assertState(receives, QpState.ERR);
            assertState(idle, QpState.ERR);
            assertState(pair.left.qp, QpState.RTS);
            assertState(peers[0], QpState.RTS);
            // Class G: no response, so the peer learns by silence.
            assertThat(pair.right.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(5);
            assertThat(small.poll(16)).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    @Test
    @Rule({"CQ-03", "WC-05"})
    void flushThatOverrunsTheQueueEndsTheOtherQueuePairsThereToo() {
        try (RcPair pair = RcPair.inProcess()) {
            CompletionQueue small = pair.left.device.createCq(ENTRIES);
            QueuePair crowded = queuePair(pair.left, pair.left.sendCq, small);
            QueuePair other = queuePair(pair.left, pair.left.sendCq, small);
            RcPair.WITHOUT_TIMER.join(crowded, queuePair(pair.right, pair.right.sendCq, pair.right.recvCq));
            for (int id = 1; id <= ENTRIES + 2; id++) {
                crowded.postRecv(ReceiveWorkRequest.of(id));
            }
            crowded.postSend(SendWorkRequest.write(9, 0, 0x77, pair.left.sge(0, 8)));

            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(9);
            List<WorkCompletion> flushed = small.poll(ENTRIES);
            assertThat(flushed).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L, 4L);
            flushed.forEach(completion -> assertThat(completion).hasStatus(WcStatus.WR_FLUSH_ERR));
            assertRefused(Errno.EIO, "WC-04", () -> small.poll(1), "wr_id=5");
            assertState(crowded, QpState.ERR);
            assertState(other, QpState.ERR);
        }
    }

    @Test
    @Rule("CQ-03")
    void profileThatDropsLosesTheNewestCompletionAndNothingElse() {
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(DROPS_NEWEST), QpCapabilities.USUAL)) {
            CompletionQueue small = pair.left.device.createCq(ENTRIES);
            QueuePair sender = queuePair(pair.left, small, small);
            RcPair.WITHOUT_TIMER.join(sender, queuePair(pair.right, pair.right.sendCq, pair.right.recvCq));
            for (int id = 1; id <= ENTRIES + 2; id++) {
                sender.postSend(write(pair, id));
            }
            assertThat(small.poll(16)).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L, 4L);
            assertState(sender, QpState.RTS);

            sender.postSend(write(pair, 7));
            assertThat(small.awaitCompletion(Await.LIMIT)).isSuccess().hasId(7);
            // One for each that was dropped, and the queue goes on.
            for (int i = 0; i < 2; i++) {
                AsyncEvent dropped = pair.left.device.pollAsyncEvent();
                assertThat(dropped).extracting(AsyncEvent::type).isEqualTo(EventType.CQ_ERR);
                assertThat(dropped.completionQueue()).isSameAs(small);
                dropped.acknowledge();
            }
            assertThat(pair.left.device.pollAsyncEvent()).isNull();
            assertThat(pair.tap.events(TraceEvent.Decided.class))
                    .filteredOn(decided -> decided.rule().equals("CQ-03"))
                    .hasSize(2);
        }
    }

    private static QueuePair queuePair(Side side, CompletionQueue sendCq, CompletionQueue recvCq) {
        return side.pd.createQp(QpInitAttributes.rc(sendCq, recvCq, QpCapabilities.USUAL));
    }

    private static SendWorkRequest write(RcPair pair, long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }
}
