// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Spin;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LogCapture;
import dev.verbatim.testing.ManualClock;
import dev.verbatim.testing.Rule;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Rule("RT-07")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimekeeperTest {
    private static final Clock REAL = SystemClock.INSTANCE;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    /** One call to serve the lane: who made it and when. */
    private record Service(Thread thread, long nanos) {}

    private final BlockingQueue<Service> services = new LinkedBlockingQueue<>();

    @AutoClose
    private Timekeeper timekeeper = lingering(HOUR_NANOS);

    @Test
    void laneIsServedWhenTheDeadlineHasComeAndNotBefore() throws Exception {
        for (int i = 0; i < 200; i++) {
            long deadlineNanos = REAL.nanoTime() + i * SHORT_NANOS / 100;
            timekeeper.wakeBy(deadlineNanos);
            assertThat(nextService().nanos()).isGreaterThanOrEqualTo(deadlineNanos);
        }
    }

    @Test
    void threadIsADaemonWithAName() throws Exception {
        timekeeper.wakeNow();
        Thread thread = nextService().thread();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("verbatim-timekeeper");
    }

    @Test
    void earlierDeadlineWakesTheThreadThatWaitsForALaterOne() throws Exception {
        timekeeper.wakeBy(REAL.nanoTime() + HOUR_NANOS);
        timekeeper.wakeBy(REAL.nanoTime() + SHORT_NANOS);
        assertThat(nextService()).isNotNull();
    }

    @Test
    void wakingNowDoesNotWaitForADeadline() throws Exception {
        timekeeper.wakeBy(REAL.nanoTime() + HOUR_NANOS);
        timekeeper.wakeNow();
        assertThat(nextService()).isNotNull();
    }

    @Test
    void laneIsServedAgainWhenItSaidSo() throws Exception {
        AtomicInteger left = new AtomicInteger(3);
        timekeeper = new Timekeeper(REAL::nanoTime, () -> {
            services.add(new Service(Thread.currentThread(), REAL.nanoTime()));
            return left.decrementAndGet() > 0 ? REAL.nanoTime() + SHORT_NANOS : NEVER;
        });
        timekeeper.wakeNow();
        Service first = nextService();
        Service second = nextService();
        Service third = nextService();
        assertThat(second.nanos()).isGreaterThanOrEqualTo(first.nanos() + SHORT_NANOS);
        assertThat(third.nanos()).isGreaterThanOrEqualTo(second.nanos() + SHORT_NANOS);
    }

    @Test
    void threadEndsWhenNothingIsLeftAndAnotherStartsWithTheNextDeadline() throws Exception {
        timekeeper = lingering(SHORT_NANOS);
        timekeeper.wakeNow();
        Thread first = nextService().thread();
        Await.end(first);
        timekeeper.wakeBy(REAL.nanoTime() + SHORT_NANOS);
        assertThat(nextService().thread()).isNotSameAs(first);
    }

    @Test
    void threadThatLingersServesTheNextDeadlineToo() throws Exception {
        timekeeper.wakeNow();
        Thread first = nextService().thread();
        timekeeper.wakeBy(REAL.nanoTime() + SHORT_NANOS);
        assertThat(nextService().thread()).isSameAs(first);
    }

    @Test
    void closingEndsTheThreadAndNothingStartsAnother() throws Exception {
        timekeeper.wakeNow();
        Thread thread = nextService().thread();
        Spin.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        timekeeper.close();
        Await.end(thread);
        timekeeper.wakeNow();
        assertThat(services).isEmpty();
    }

    @Test
    void interruptNeitherEndsTheThreadNorServesEarly() throws Exception {
        timekeeper.wakeNow();
        Thread thread = nextService().thread();
        long deadlineNanos = REAL.nanoTime() + 10 * SHORT_NANOS;
        timekeeper.wakeBy(deadlineNanos);
        thread.interrupt();
        Service service = nextService();
        assertThat(service.nanos()).isGreaterThanOrEqualTo(deadlineNanos);
        assertThat(service.thread()).isSameAs(thread);
    }

    @Test
    void failureIsLoggedAndTheLaneServedAgain() throws Exception {
        IllegalStateException failure = new IllegalStateException("a timer's own failure");
        AtomicInteger calls = new AtomicInteger();
        timekeeper = new Timekeeper(REAL::nanoTime, () -> {
            services.add(new Service(Thread.currentThread(), REAL.nanoTime()));
            if (calls.incrementAndGet() == 1) {
                throw failure;
            }
            return NEVER;
        });
        try (LogCapture log = new LogCapture(Timekeeper.class)) {
            timekeeper.wakeNow();
            Thread thread = nextService().thread();
            assertThat(nextService().thread()).isSameAs(thread);
            LogRecord record = Await.value("a log record", log.records()::poll, Objects::nonNull);
            assertThat(record.getThrown()).isSameAs(failure);
            assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
        }
    }

    @Test
    void deadlineIsThatOfTheGivenClock() throws Exception {
        ManualClock clock = new ManualClock();
        timekeeper = new Timekeeper(clock::nanoTime, () -> {
            services.add(new Service(Thread.currentThread(), clock.nanoTime()));
            return NEVER;
        });
        timekeeper.wakeBy(SHORT_NANOS);
        clock.set(SHORT_NANOS);
        assertThat(nextService().nanos()).isEqualTo(SHORT_NANOS);
    }

    private Timekeeper lingering(long lingerNanos) {
        return new Timekeeper(REAL::nanoTime, lingerNanos, () -> {
            services.add(new Service(Thread.currentThread(), REAL.nanoTime()));
            return NEVER;
        });
    }

    private Service nextService() throws InterruptedException {
        return Await.value("the lane to be served", services::poll, Objects::nonNull);
    }
}
