// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("smoke")
@Timeout(600)
class AwaitTest {

    @Test
    void conditionIsAskedUntilItHolds() {
        AtomicInteger looks = new AtomicInteger();
        Await.until("three looks", () -> looks.incrementAndGet() == 3);
        assertThat(looks).hasValue(3);
    }

    @Test
    void valueIsTheFirstThatIsWanted() {
        AtomicInteger looks = new AtomicInteger();
        assertThat(Await.value("a large number", looks::incrementAndGet, number -> number > 5_000))
                .isEqualTo(5_001);
    }

    @Test
    void waitThatReachesItsLimitSaysWhatItWaitedForAndWhatWasThere() {
        assertThatThrownBy(() -> Await.until("a packet", () -> false, () -> "nothing", Duration.ofMillis(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("waited PT0.001S for a packet; present: nothing");
    }

    @Test
    void attemptsAreNotMadeMoreOftenThanEachMillisecond() {
        AtomicInteger attempts = new AtomicInteger();
        long startNanos = System.nanoTime();
        Await.attempts("six attempts", () -> attempts.incrementAndGet() == 6, attempts::get);
        assertThat(System.nanoTime() - startNanos).isGreaterThan(4_000_000);
    }

    @Test
    void failureOfATaskIsThrownAsItIs() {
        assertThatThrownBy(() -> Await.result(
                        "a task", CompletableFuture.failedFuture(new IllegalStateException("its own words"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("its own words");
    }

    @Test
    void threadThatEndsOtherwiseFailsTheTest() throws InterruptedException {
        Thread ended = new Thread(() -> {}, "short");
        ended.start();
        ended.join();
        assertThatThrownBy(() -> Await.state(ended, Thread.State.WAITING))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("short has ended instead of being [WAITING]");
    }

    @Test
    void interruptEndsAWaitAndStays() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.latch("a countdown", new CountDownLatch(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("interrupted while waiting for a countdown");
        assertThat(Thread.interrupted()).isTrue();
    }
}
