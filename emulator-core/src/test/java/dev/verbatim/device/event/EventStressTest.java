// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.device.AtomicConcurrencyTest;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several threads take and give back events of the same objects while others cause them: none is lost, none is taken twice, and
 * what is owed comes to nothing, so that the objects can go.
 */
@Timeout(600)
class EventStressTest {

    private static final int CAUSING = 2;
    private static final int TAKING = 4;
    private static final int COUNTED = 50_000;
    private static final int EVENTS = 4000;

    /** Fewer than may wait unread, beyond which events are merged (N12). */
    private static final int COMPLETIONS = 1000;

    @Test
    @Rule({"AE-20", "AE-06"})
    void everyAsyncEventIsTakenOnceAndNoneIsOwedAtTheEnd() throws Exception {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Side side = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side peer = new Side(rdma.open("right"), QpCapabilities.USUAL);
            AtomicInteger left = new AtomicInteger(CAUSING * EVENTS);
            List<QueuePair> queuePairs = new ArrayList<>();
            List<Runnable> tasks = new ArrayList<>();
            for (int i = 0; i < CAUSING; i++) {
                QueuePair queuePair = side.newQueuePair();
                RcConnection.connect(queuePair, peer.newQueuePair());
                queuePairs.add(queuePair);
                tasks.add(() -> drains(queuePair));
            }
            for (int i = 0; i < TAKING; i++) {
                tasks.add(() -> {
                    while (left.getAndDecrement() > 0) {
                        AsyncEvent event = side.device.getAsyncEvent(Await.LIMIT);
                        assertThat(event).as("another event").isNotNull();
                        assertThat(event.type()).isEqualTo(EventType.SQ_DRAINED);
                        event.acknowledge();
                    }
                });
            }
            AtomicConcurrencyTest.runTogether(tasks);
            assertThat(side.device.pollAsyncEvent()).isNull();
            queuePairs.forEach(QueuePair::close);
            asserted();
        }
    }

    /** Of one element, as of a queue that many threads serve: what they count is exact. */
    @Test
    void whatIsTakenAndGivenBackByManyThreadsAtOnceIsCountedExactly() throws Exception {
        EventDebt debt = new EventDebt();
        AtomicInteger taken = new AtomicInteger();
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < TAKING; i++) {
            tasks.add(() -> {
                for (int event = 0; event < COUNTED; event++) {
                    taken.addAndGet(debt.taken() ? 1 : 0);
                    debt.givenBack(1);
                }
            });
        }
        AtomicConcurrencyTest.runTogether(tasks);
        assertThat(taken).hasValue(TAKING * COUNTED);
        assertThat(debt.owed()).isZero();
        assertThat(debt.close()).isTrue();
        assertThat(debt.taken()).as("a further one").isFalse();
        asserted();
    }

    /** Nothing is under way, so each drain is over at once. */
    private static void drains(QueuePair queuePair) {
        QpAttributes drain = new QpAttributes().state(QpState.SQD).notifyDrained(true);
        QpAttributes resume = new QpAttributes().state(QpState.RTS);
        for (int i = 0; i < EVENTS; i++) {
            queuePair.modify(drain);
            queuePair.modify(resume);
        }
    }

    @Test
    @Rule({"NT-06", "NT-07"})
    void everyCompletionEventIsTakenOnceAndNoneIsOwedAtTheEnd() throws Exception {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Side side = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side peer = new Side(rdma.open("right"), QpCapabilities.USUAL);
            CompletionChannel channel = side.device.createCompletionChannel();
            AtomicInteger left = new AtomicInteger(CAUSING * COMPLETIONS);
            List<CompletionQueue> queues = new ArrayList<>();
            List<QueuePair> queuePairs = new ArrayList<>();
            List<Runnable> tasks = new ArrayList<>();
            for (int i = 0; i < CAUSING; i++) {
                CompletionQueue cq = side.device.createCq(16, null, channel, 0);
                QueuePair queuePair = side.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
                RcConnection.connect(queuePair, peer.newQueuePair());
                queues.add(cq);
                queuePairs.add(queuePair);
                tasks.add(() -> completes(queuePair, cq));
            }
            for (int i = 0; i < TAKING; i++) {
                tasks.add(() -> {
                    while (left.getAndDecrement() > 0) {
                        CompletionEvent event = channel.getEvent(Await.LIMIT);
                        assertThat(event).as("another event").isNotNull();
                        event.acknowledge();
                    }
                });
            }
            AtomicConcurrencyTest.runTogether(tasks);
            assertThat(channel.pollEvent()).isNull();
            queuePairs.forEach(QueuePair::close);
            queues.forEach(CompletionQueue::close);
            channel.close();
            asserted();
        }
    }

    /** One completion for which the queue is armed, and the next. */
    private static void completes(QueuePair queuePair, CompletionQueue cq) {
        for (int i = 0; i < COMPLETIONS; i++) {
            cq.requestNotify(false);
            queuePair.postSend(SendWorkRequest.write(i, 0, 0));
            assertThat(cq.awaitCompletion(Await.LIMIT)).isSuccess();
            // The completion is seen before its step is over; armed before that, the queue would be armed twice at once
            // (NT-03).
            queuePair.query();
        }
    }
}
