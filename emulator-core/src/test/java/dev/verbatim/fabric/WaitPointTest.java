// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Rule("NT-06")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitPointTest {
    private static final long FOR_EVER = Long.MAX_VALUE;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Flag place = new Flag();

    @Test
    void readyPlaceDoesNotParkTheThread() throws Exception {
        place.raise();
        assertThat(place.isReady()).isTrue();
        assertThat(place.park(SystemClock.INSTANCE, 0)).isTrue();
        assertThat(place.park(SystemClock.INSTANCE, FOR_EVER)).isTrue();
    }

    @Test
    void patienceEndsTheWaitForWhatDoesNotHappenAndNotBefore() throws Exception {
        long startNanos = SystemClock.INSTANCE.nanoTime();
        assertThat(place.park(SystemClock.INSTANCE, SHORT_NANOS)).isFalse();
        assertThat(SystemClock.INSTANCE.nanoTime() - startNanos).isGreaterThanOrEqualTo(SHORT_NANOS);
        assertThat(place.isReady()).isFalse();
    }

    @Test
    void noPatienceOnlyLooks() throws Exception {
        assertThat(place.park(SystemClock.INSTANCE, 0)).isFalse();
    }

    @Test
    void threadThatWaitsForEverGoesOnWhenThePlaceIsReady() throws Exception {
        assertThat(parkedThenRaised(FOR_EVER)).isTrue();
    }

    @Test
    void threadThatWaitsWithPatienceGoesOnWhenThePlaceIsReady() throws Exception {
        assertThat(parkedThenRaised(TimeUnit.HOURS.toNanos(1))).isTrue();
    }

    @Test
    void signalWithoutReadinessDoesNotEndTheWait() throws Exception {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        parked(FOR_EVER, result);
        int looks = place.looks();
        place.signal();
        Spin.until(() -> place.looks() > looks);
        assertThat(result).isNotDone();
        place.raise();
        assertThat(Await.result("the end of the wait", result)).isTrue();
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> place.park(SystemClock.INSTANCE, FOR_EVER));
    }

    private boolean parkedThenRaised(long patienceNanos) throws Exception {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        parked(patienceNanos, result);
        assertThat(result).isNotDone();
        place.raise();
        return Await.result("the end of the wait", result);
    }

    private void parked(long patienceNanos, CompletableFuture<Boolean> result) {
        Thread thread = new Thread(() -> {
            try {
                result.complete(place.park(SystemClock.INSTANCE, patienceNanos));
            } catch (InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Spin.until(() -> isParked(thread));
    }

    private static boolean isParked(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }
}
