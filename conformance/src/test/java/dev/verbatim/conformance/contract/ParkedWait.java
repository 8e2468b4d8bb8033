// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What the thread of a wait did that came to the end of its patience.
 *
 * @param cpuNanos CPU time that it took
 * @param untilAsleepNanos time before it slept for the first time
 * @param asleep how many looks from outside found it asleep after that
 */
record ParkedWait(long cpuNanos, long untilAsleepNanos, int asleep) {

    private static final int LOOKS = 20;
    private static final int LEAST_ASLEEP = 15;
    private static final long BETWEEN_LOOKS_NANOS = 5_000_000;

    /** A hundredth: 50 ms of 5 s. */
    private static final int MOST_CPU_SHARE = 100;

    /** Lets the thread wait, and looks at it meanwhile. */
    static ParkedWait of(WaitPlace place, Runnable wait) {
        AtomicLong startNanos = new AtomicLong();
        AtomicLong cpuNanos = new AtomicLong();
        AtomicLong untilAsleepNanos = new AtomicLong();
        AtomicLong asleep = new AtomicLong();
        place.waiting(
                () -> {
                    startNanos.set(System.nanoTime());
                    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    WaitPlace.Outcome.of(wait);
                    cpuNanos.set(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
                },
                thread -> {
                    untilAsleepNanos.set(System.nanoTime() - startNanos.get());
                    for (int i = 0; i < LOOKS; i++) {
                        asleep.addAndGet(thread.getState() == Thread.State.TIMED_WAITING ? 1 : 0);
                        LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
                    }
                });
        return new ParkedWait(cpuNanos.get(), untilAsleepNanos.get(), asleep.intValue());
    }

    /** Whether it slept within half of its patience, went on to do so, and took hardly any CPU time. */
    boolean isIdle(Duration patience) {
        return cpuNanos < patience.toNanos() / MOST_CPU_SHARE
                && untilAsleepNanos < patience.toNanos() / 2
                && asleep >= LEAST_ASLEEP;
    }
}
