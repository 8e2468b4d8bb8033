// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that post, poll and purge at once. Nobody watches the devices, so that the threads do meet. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionQueueStressTest {

    private static final int POLLERS = 3;
    private static final int ROUNDS = 8;
    private static final int WRITES_OF_A_ROUND = 4_000;
    private static final int WRITES = ROUNDS * WRITES_OF_A_ROUND;
    private static final int BURST = 8;
    private static final int LARGEST_GROWTH = 7;
    private static final QpCapabilities LARGE = new QpCapabilities(WRITES_OF_A_ROUND, 1, 1, 1, 0);

    private final AtomicIntegerArray polled = new AtomicIntegerArray(WRITES);
    private final AtomicInteger total = new AtomicInteger();
    private volatile int filledTo;

    /** WC-04, CQ-02, and WR-14 beside it: each completion goes to one poller, and its slot comes back once. */
    @Test
    void severalPollersGetEachCompletionOnceAmongThemWhileAnotherQueuePairIsPurgedAndTheQueueResized()
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(POLLERS + 2);
        try (Verbatim rdma = Verbatim.inProcess()) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            CompletionQueue shared = left.device.createCq(WRITES_OF_A_ROUND + 2 * BURST);
            QueuePair sender = left.pd.createQp(QpInitAttributes.rc(shared, shared, LARGE));
            QueuePair noisy = queuePair(left, shared);
            RcConnection.connect(sender, right.qp);

            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < POLLERS; i++) {
                running.add(threads.submit(() -> pollUntilAllCame(shared, sender)));
            }
            running.add(threads.submit(() -> resetAgainAndAgain(noisy, queuePair(right, right.sendCq), left, right)));
            running.add(threads.submit(() -> resizeAgainAndAgain(shared)));
            for (int id = 0; id < WRITES; id++) {
                sender.postSend(write(id, left, right));
                if ((id + 1) % WRITES_OF_A_ROUND == 0) {
                    filledTo = id + 1;
                    yieldUntilPolled(filledTo, running);
                }
            }
            for (Future<?> each : running) {
                Await.result("a thread", each);
            }
        } finally {
            threads.shutdownNow();
        }
        for (int id = 0; id < WRITES; id++) {
            assertThat(polled.get(id)).as("completions of wr_id=%d", id).isEqualTo(1);
        }
    }

    /** The queue is filled while nobody looks; then all take from it. */
    private Void pollUntilAllCame(CompletionQueue cq, QueuePair sender) {
        WorkCompletion[] holder = {new WorkCompletion()};
        while (total.get() < WRITES) {
            if (total.get() >= filledTo || cq.poll(holder) == 0) {
                Thread.yield();
                continue;
            }
            assertThat(holder[0].isSuccess()).as("%s", holder[0]).isTrue();
            if (holder[0].qpNumber() == sender.number()) {
                polled.incrementAndGet((int) holder[0].id());
                total.incrementAndGet();
            }
        }
        return null;
    }

    private void yieldUntilPolled(int count, List<Future<?>> running) {
        while (total.get() < count && running.stream().noneMatch(Future::isDone)) {
            Thread.yield();
        }
    }

    private Void resetAgainAndAgain(QueuePair noisy, QueuePair peer, Side left, Side right) {
        while (total.get() < WRITES) {
            RcConnection.connect(noisy, peer);
            for (int i = 0; i < BURST; i++) {
                noisy.postSend(write(i, left, right));
            }
            noisy.modify(new QpAttributes().state(QpState.RESET));
            peer.modify(new QpAttributes().state(QpState.RESET));
        }
        return null;
    }

    private Void resizeAgainAndAgain(CompletionQueue cq) {
        for (int more = 0; total.get() < WRITES; more = (more + 1) % LARGEST_GROWTH) {
            cq.resize(WRITES_OF_A_ROUND + 2 * BURST + more);
            Thread.yield();
        }
        return null;
    }

    private static SendWorkRequest write(long id, Side left, Side right) {
        return SendWorkRequest.write(id, right.address(0), right.rkey(), left.sge(0, 8));
    }

    private static QueuePair queuePair(Side side, CompletionQueue cq) {
        return side.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
    }
}
