// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads post and poll while another takes the queue pair from state to state. */
class QpStateStressTest {

    private static final int EPOCHS = 30;
    private static final QpAttributes TO_ERR = new QpAttributes().state(QpState.ERR);
    private static final QpAttributes TO_RESET = new QpAttributes().state(QpState.RESET);

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess();

    private final Set<Long> accepted = ConcurrentHashMap.newKeySet();
    private final Set<Long> completed = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean twice = new AtomicBoolean();

    /** Posts of a watched device run on the lane, those of others race with it. */
    private void watch(boolean watched) {
        if (watched) {
            rdma.tap(new RecordingTap());
        }
    }

    private Side side(String name) {
        return new Side(rdma.open(name), new QpCapabilities(16, 16, 1, 1, 0));
    }

    /** Posts, sends and receives in turn, until it is over; what was accepted is written down before it can complete. */
    private void post(Side side, Side peer) {
        WorkCompletion[] holders = holders();
        while (!over.get()) {
            // Receives in ERR are flushed as fast as they come: what comes of them is taken away as fast.
            take(side, holders);
            long id = lastId.incrementAndGet();
            accepted.add(id);
            try {
                if (id % 2 == 0) {
                    SendWorkRequest write = SendWorkRequest.write(id, peer.address(0), peer.rkey(), side.sge(0, 8));
                    side.qp.postSend(write);
                } else {
                    side.qp.postRecv(ReceiveWorkRequest.of(id));
                }
            } catch (VerbsException refused) {
                accepted.remove(id);
                assertThat(refused.errno()).isIn(Errno.ENOMEM, Errno.EINVAL);
                Thread.yield();
            }
        }
    }

    private void poll(Side side) {
        WorkCompletion[] holders = holders();
        while (!over.get()) {
            take(side, holders);
            Thread.yield();
        }
    }

    private static WorkCompletion[] holders() {
        return new WorkCompletion[] {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
    }

    private void takeTheRest(Side side) {
        int before;
        do {
            before = completed.size();
            take(side, holders());
        } while (completed.size() > before);
    }

    private void take(Side side, WorkCompletion[] holders) {
        for (var cq : List.of(side.sendCq, side.recvCq)) {
            int count = cq.poll(holders);
            for (int i = 0; i < count; i++) {
                if (!completed.add(holders[i].id())) {
                    twice.set(true);
                }
                WcStatus status = holders[i].status();
                assertThat(status).isIn(WcStatus.SUCCESS, WcStatus.WR_FLUSH_ERR);
            }
        }
    }

    private static void connect(QueuePair qp, QueuePair peer) {
        peer.modify(TO_RESET);
        RcConnection.connect(qp, peer);
    }

    private static List<Long> notIn(Set<Long> some, Set<Long> all) {
        return all.stream().filter(id -> !some.contains(id)).sorted().toList();
    }

    private static void spin(Random random) {
        for (int i = random.nextInt(20_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Only ERR: whatever was accepted completes, exactly once. */
    @ParameterizedTest
    @CsvSource({"1,false", "2,false", "3,true"})
    @Rule({"QP-22", "QP-23", "WR-18"})
    void everyRequestPostedAroundAnErrorCompletesExactlyOnce(long seed, boolean watched) throws Exception {
        watch(watched);
        Side left = side("left");
        Side right = side("right");
        RcConnection.connect(left.qp, right.qp);
        Random random = new Random(seed);
        List<Runnable> tasks =
                new ArrayList<>(List.of(() -> post(left, right), () -> post(left, right), () -> poll(left), () -> {
                    spin(random);
                    left.qp.modify(TO_ERR);
                    long soFar = lastId.get();
                    while (lastId.get() < soFar + 200) {
                        Thread.yield();
                    }
                    over.set(true);
                }));
        AtomicConcurrencyTest.runTogether(tasks);
        takeTheRest(left);
        assertThat(twice).isFalse();
        assertThat(notIn(completed, accepted)).as("accepted and not completed").isEmpty();
        assertThat(notIn(accepted, completed)).as("completed and not accepted").isEmpty();
        assertState(left.qp, QpState.ERR);
    }

    /** ERR, RESET and new lives in turn: nothing completes twice, and the last life's requests complete once. */
    @ParameterizedTest
    @CsvSource({"5,false", "6,true"})
    @Rule({"QP-22", "QP-24", "WR-18"})
    void requestsOfSeveralLivesCompleteAtMostOnceAndThoseOfTheLastExactlyOnce(long seed, boolean watched)
            throws Exception {
        watch(watched);
        Side left = side("left");
        Side right = side("right");
        RcConnection.connect(left.qp, right.qp);
        Random random = new Random(seed);
        AtomicLong firstOfLastLife = new AtomicLong();
        AtomicConcurrencyTest.runTogether(List.of(
                () -> post(left, right), () -> post(left, right), () -> poll(left), () -> poll(left), () -> {
                    for (int epoch = 0; epoch < EPOCHS; epoch++) {
                        spin(random);
                        if (random.nextBoolean()) {
                            left.qp.modify(TO_ERR);
                            spin(random);
                        }
                        left.qp.modify(TO_RESET);
                        connect(left.qp, right.qp);
                    }
                    firstOfLastLife.set(lastId.get() + 10);
                    while (lastId.get() < firstOfLastLife.get() + 100) {
                        Thread.yield();
                    }
                    left.qp.modify(TO_ERR);
                    over.set(true);
                }));
        takeTheRest(left);
        assertThat(twice).isFalse();
        assertThat(accepted).containsAll(completed);
        assertThat(completed)
                .containsAll(accepted.stream()
                        .filter(id -> id > firstOfLastLife.get())
                        .toList());
        Outcomes.asserted();
    }
}
