// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lane in real time with many threads: whatever was rung or armed happens, without anybody polling for it. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@LongTest
class InProcessLaneStressTest {
    private static final int THREADS = 4;
    private static final int RINGS = 1_000;
    /** Each hands over from one thread to the other twice, which on a busy machine takes as many turns of both. */
    private static final int FEWEST_MEETINGS = 1_000;

    private static final int MOST_MEETINGS = 500_000;

    /** A quiet machine comes to many more meetings than the fewest in this time. */
    private static final long MEETINGS_NANOS = 1_000_000_000L;

    private static final int LONGEST_RUN_UP = 1_000;
    private static final long SHORT_NANOS = 20_000;

    private final InProcessLane lane = new InProcessLane(SystemClock.INSTANCE);
    private final AtomicInteger meeting = new AtomicInteger();
    private final AtomicInteger overMeetings = new AtomicInteger();
    private volatile int meetings = MOST_MEETINGS;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Says how often it was answered, and lets a thread wait for an answer. */
    private final class Bell extends Doorbell {
        private final AtomicInteger rung = new AtomicInteger();
        private final AnsweredUpTo answered = new AnsweredUpTo();

        @Override
        protected void answer() {
            answered.raiseTo(rung.get());
        }

        boolean ringAndWait() {
            int mine = rung.incrementAndGet();
            lane.ring(this);
            answered.wanted = mine;
            return lane.await(answered, Await.LIMIT.toNanos());
        }
    }

    private static final class AnsweredUpTo extends WaitPoint {
        private int count;
        private volatile int wanted;

        @Override
        protected boolean ready() {
            return count >= wanted;
        }

        synchronized void raiseTo(int count) {
            this.count = count;
            signal();
        }
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        lane.close();
    }

    @Test
    void doorbellsRungWhileAThreadHoldsTheLaneAreAnsweredByIt() throws Exception {
        List<Integer> answered = new ArrayList<>();
        CountDownLatch allRang = new CountDownLatch(THREADS);
        lane.call(() -> {
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                Doorbell doorbell = new Doorbell() {
                    @Override
                    protected void answer() {
                        answered.add(number);
                    }
                };
                threads.execute(() -> {
                    lane.ring(doorbell);
                    allRang.countDown();
                });
            }
            Await.latch("rings that do not wait for the lane", allRang);
            assertThat(answered).isEmpty();
        });
        assertThat(answered).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void noRingIsStrandedWhenManyThreadsRing() throws Exception {
        runOnAllThreads(() -> {
            Bell bell = new Bell();
            for (int i = 0; i < RINGS; i++) {
                assertThat(bell.ringAndWait()).as("ring %s was answered", i).isTrue();
            }
            return null;
        });
    }

    /** Whoever rings while another thread has the lane leaves it to that one, which looks once more after it let go. */
    @Test
    void noRingIsStrandedWhenItMeetsTheEndOfAnotherThreadsTurn() throws Exception {
        Doorbell other = new Doorbell() {
            @Override
            protected void answer() {
                meeting.incrementAndGet();
                spin(LONGEST_RUN_UP / 2);
            }
        };
        Future<?> ringer = threads.submit(() -> ringAtEachMeeting(new Bell()));
        meet(() -> lane.ring(other));
        Await.result("the ringer", ringer);
    }

    @Test
    void noRingIsStrandedWhenItMeetsTheEndOfTheTimekeepersTurn() throws Exception {
        LaneTimer timer = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                meeting.incrementAndGet();
                spin(LONGEST_RUN_UP / 2);
            }
        };
        Future<?> ringer = threads.submit(() -> ringAtEachMeeting(new Bell()));
        meet(() -> lane.call(() -> lane.arm(timer, lane.nowNanos())));
        Await.result("the ringer", ringer);
    }

    @Test
    void noRingIsStrandedWhenItMeetsACallThatFails() throws Exception {
        runOnAllThreads(() -> {
            Bell bell = new Bell();
            for (int i = 0; i < RINGS; i++) {
                try {
                    lane.call(() -> {
                        throw new IllegalStateException("refused");
                    });
                } catch (IllegalStateException refused) {
                    assertThat(bell.ringAndWait()).as("ring %s was answered", i).isTrue();
                }
            }
            return null;
        });
    }

    @Test
    @Rule("RT-07")
    void timersExpireWithoutAnyPollAndNeverEarly() throws Exception {
        int timers = 200;
        CountDownLatch expired = new CountDownLatch(timers);
        AtomicLong earliestNanos = new AtomicLong(Long.MAX_VALUE);
        lane.call(() -> {
            for (int i = 0; i < timers; i++) {
                long deadlineNanos = lane.nowNanos() + i * SHORT_NANOS;
                LaneTimer timer = new LaneTimer() {
                    @Override
                    protected void expire(long nowNanos) {
                        earliestNanos.accumulateAndGet(nowNanos - deadlineNanos, Math::min);
                        earliestNanos.accumulateAndGet(SystemClock.INSTANCE.nanoTime() - deadlineNanos, Math::min);
                        expired.countDown();
                    }
                };
                lane.arm(timer, deadlineNanos);
            }
        });
        Await.latch("timers that expire", expired);
        assertThat(earliestNanos.get()).isNotNegative();
    }

    /** Begins one meeting after the other. */
    private void meet(Runnable begin) {
        long startNanos = System.nanoTime();
        for (int i = 0; i < meetings; i++) {
            if (i + 1 >= FEWEST_MEETINGS && System.nanoTime() - startNanos > MEETINGS_NANOS) {
                meetings = i + 1;
            }
            begin.run();
            int number = i;
            Spin.until(() -> overMeetings.get() > number);
        }
    }

    /** Rings once in each meeting, each time a little later, and waits without touching the lane again. */
    private void ringAtEachMeeting(Bell bell) {
        for (int i = 0; i < meetings && overMeetings.get() == i; i++) {
            int number = i;
            Spin.until(() -> meeting.get() > number);
            spin(i % LONGEST_RUN_UP);
            boolean answered = bell.ringAndWait();
            overMeetings.incrementAndGet();
            assertThat(answered).as("ring %s was answered", i).isTrue();
        }
    }

    /** About a nanosecond each. */
    private void spin(int reads) {
        for (int i = 0; i < reads; i++) {
            meeting.get();
        }
    }

    private void runOnAllThreads(Callable<Void> work) throws Exception {
        List<Future<Void>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            results.add(threads.submit(work));
        }
        for (Future<Void> result : results) {
            Await.result("a thread", result);
        }
    }
}
