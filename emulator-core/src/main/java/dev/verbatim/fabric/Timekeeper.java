// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of a fabric that is driven by its callers: it serves the lane when a timer is due or when
 * callers left work behind. It is started when there is something to wait for and ends when there was nothing for a
 * while.
 */
final class Timekeeper implements AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LINGER_MILLIS = 2_000;

    private final Clock clock;
    private final LongSupplier serve;
    private @Nullable Thread thread;
    private boolean closed;
    private volatile long wakeNanos = NEVER;

    /**
     * @param serve serves the lane and tells when to serve it next, {@link Long#MAX_VALUE} for never
     */
    Timekeeper(Clock clock, LongSupplier serve) {
        this.clock = clock;
        this.serve = serve;
    }

    /** Serve the lane at the latest at {@code deadlineNanos}. */
    void wakeBy(long deadlineNanos) {
        if (deadlineNanos < wakeNanos) {
            wake(deadlineNanos);
        }
    }

    /** Serve the lane as soon as possible. */
    void wakeNow() {
        wakeBy(clock.nanoTime());
    }

    private synchronized void wake(long deadlineNanos) {
        if (closed || deadlineNanos >= wakeNanos) {
            return;
        }
        wakeNanos = deadlineNanos;
        if (thread == null) {
            thread = new Thread(this::run, "verbatim-timekeeper");
            thread.setDaemon(true);
            thread.start();
        } else {
            notifyAll();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void run() {
        while (waitForWork()) {
            wakeBy(serve.getAsLong());
        }
    }

    /** True when the lane is to be served; false when the thread shall end. */
    private synchronized boolean waitForWork() {
        try {
            boolean lingered = false;
            while (!closed) {
                long leftNanos = wakeNanos == NEVER ? NEVER : wakeNanos - clock.nanoTime();
                if (leftNanos <= 0) {
                    wakeNanos = NEVER;
                    return true;
                }
                if (leftNanos != NEVER) {
                    wait(leftNanos / NANOS_PER_MILLI, (int) (leftNanos % NANOS_PER_MILLI));
                    lingered = false;
                } else if (lingered) {
                    break;
                } else {
                    wait(LINGER_MILLIS);
                    lingered = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread = null;
        return false;
    }
}
