// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of a fabric that is driven by its callers: it serves the lane when a timer is due or when
 * callers left work behind. It is started when there is something to wait for and ends when there was nothing for a
 * while. It parks on a condition, since a monitor waits in whole milliseconds, as long as a hundred round trips.
 */
public final class Timekeeper implements AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LongSupplier clock;
    private final long lingerNanos;
    private final LongSupplier serve;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private boolean closed;
    private volatile long wakeNanos = NEVER;

    /**
     * @param clock tells the time in nanoseconds
     * @param serve serves the lane and tells when to serve it next, {@link Long#MAX_VALUE} for never
     */
    public Timekeeper(LongSupplier clock, LongSupplier serve) {
        this(clock, LINGER_NANOS, serve);
    }

    /**
     * @param lingerNanos how long the thread stays with nothing to wait for
     */
    Timekeeper(LongSupplier clock, long lingerNanos, LongSupplier serve) {
        this.clock = clock;
        this.lingerNanos = lingerNanos;
        this.serve = serve;
    }

    /** Serve the lane at the latest at {@code deadlineNanos}. */
    public void wakeBy(long deadlineNanos) {
        if (deadlineNanos < wakeNanos) {
            wake(deadlineNanos);
        }
    }

    /** Serve the lane as soon as possible. */
    public void wakeNow() {
        wakeBy(clock.getAsLong());
    }

    private void wake(long deadlineNanos) {
        lock.lock();
        try {
            if (closed || deadlineNanos >= wakeNanos) {
                return;
            }
            if (thread == null) {
                Thread fresh = new Thread(this::run, "verbatim-timekeeper");
                fresh.setDaemon(true);
                fresh.start();
                thread = fresh;
            } else {
                changed.signal();
            }
            wakeNanos = deadlineNanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (waitForWork()) {
            wakeBy(serveOrLog());
        }
    }

    /** What failed is done with: the lane takes work from its queues before it does it. The rest is served at once. */
    private long serveOrLog() {
        try {
            return serve.getAsLong();
        } catch (RuntimeException | Error e) {
            System.getLogger(Timekeeper.class.getName())
                    .log(System.Logger.Level.ERROR, "work of a lane failed; the lane goes on without it", e);
            return clock.getAsLong();
        }
    }

    /** True when the lane is to be served; false when the thread shall end. */
    private boolean waitForWork() {
        lock.lock();
        try {
            long patienceNanos = lingerNanos;
            while (!closed) {
                if (wakeNanos == NEVER) {
                    if (patienceNanos <= 0) {
                        break;
                    }
                    patienceNanos = park(patienceNanos);
                    continue;
                }
                long leftNanos = wakeNanos - clock.getAsLong();
                if (leftNanos <= 0) {
                    wakeNanos = NEVER;
                    return true;
                }
                park(leftNanos);
            }
            thread = null;
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how much of the time is left. An interrupt only wakes this thread. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private long park(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            return nanos;
        }
    }
}
