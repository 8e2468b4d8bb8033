// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits of tests for what other threads bring about. There is one limit for all of them, far beyond what anything takes on a busy
 * machine; a wait that reaches it fails the test, and says what it waited for and what was there instead. Tests that may hang elsewhere
 * have {@code @Timeout(600)}.
 */
public final class Await {

    /** How long a test waits for anything. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    private static final int SPINS = 1_000;
    private static final int YIELDS = 1_000;
    private static final long PAUSE_NANOS = 100_000;
    private static final long ATTEMPT_PAUSE_NANOS = 1_000_000;

    private Await() {}

    /** Waits until the condition holds, which is asked again and again. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, condition, () -> "no " + what);
    }

    /** The same, and the failure says what was there instead. */
    public static void until(String what, BooleanSupplier condition, Supplier<?> present) {
        until(what, condition, present, LIMIT);
    }

    /** The same for an attempt, such as to send a datagram once more, that is to be made no more often than each millisecond. */
    public static void attempts(String what, BooleanSupplier attempt, Supplier<?> present) {
        until(
                what,
                () -> {
                    boolean succeeded = attempt.getAsBoolean();
                    if (!succeeded) {
                        LockSupport.parkNanos(ATTEMPT_PAUSE_NANOS);
                    }
                    return succeeded;
                },
                present);
    }

    static void until(String what, BooleanSupplier condition, Supplier<?> present, Duration limit) {
        long startNanos = System.nanoTime();
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (System.nanoTime() - startNanos > limit.toNanos()) {
                throw tooLate(limit, what, present.get());
            }
            pause(looks);
        }
    }

    /** Waits until a value is as wanted, and returns it; the last one that was not is named by the failure. */
    public static <T> T value(String what, Supplier<T> value, Predicate<? super T> wanted) {
        AtomicReference<@Nullable T> found = new AtomicReference<>();
        until(
                what,
                () -> {
                    found.set(value.get());
                    return wanted.test(found.get());
                },
                found::get);
        return found.get();
    }

    /** Waits for so many countdowns as the latch has left. */
    public static void latch(String what, CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw tooLate(LIMIT, what, "count=" + latch.getCount());
            }
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /** Waits for a result; what the task threw is thrown. */
    public static <T> T result(String what, Future<T> future) {
        try {
            return future.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw tooLate(LIMIT, what, future);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new AssertionError("while waiting for " + what, e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /** Waits until a thread has ended. */
    public static void end(Thread thread) {
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            throw interrupted("the end of " + thread.getName(), e);
        }
        if (thread.isAlive()) {
            throw tooLate(LIMIT, "the end of " + thread.getName(), placeOf(thread));
        }
    }

    /** Waits until a thread is in one of these states, such as {@code WAITING}; one that ends otherwise fails the test. */
    public static void state(Thread thread, Thread.State... states) {
        List<Thread.State> wanted = Arrays.asList(states);
        until(
                thread.getName() + " to be " + wanted,
                () -> {
                    Thread.State now = thread.getState();
                    if (now == Thread.State.TERMINATED && !wanted.contains(now)) {
                        throw new AssertionError(thread.getName() + " has ended instead of being " + wanted);
                    }
                    return wanted.contains(now);
                },
                () -> placeOf(thread));
    }

    private static void pause(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else if (looks < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static AssertionError tooLate(Duration limit, String what, @Nullable Object present) {
        return new AssertionError("waited " + limit + " for " + what + "; present: " + present);
    }

    private static AssertionError interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while waiting for " + what, cause);
    }

    private static String placeOf(Thread thread) {
        return thread.getState() + " at " + Arrays.toString(thread.getStackTrace());
    }
}
