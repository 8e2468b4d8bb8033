// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.concurrent.TimeUnit;

/** A place where threads wait for what a lane will bring. Its monitor guards the state that {@link #ready()} reads. */
public abstract class WaitPoint {

    /** Whether the waiting is over. Called with the monitor held. */
    protected abstract boolean ready();

    /** Lets the waiting threads look again. */
    public final synchronized void signal() {
        notifyAll();
    }

    /** {@link #ready()} with the monitor held. */
    public final synchronized boolean isReady() {
        return ready();
    }

    /** Parks the thread in real time until the place is ready; false if patience ended first. */
    public final synchronized boolean park(Clock clock, long patienceNanos) throws InterruptedException {
        if (patienceNanos == Long.MAX_VALUE) {
            while (!ready()) {
                wait();
            }
            return true;
        }
        long startNanos = clock.nanoTime();
        while (!ready()) {
            long leftNanos = patienceNanos - (clock.nanoTime() - startNanos);
            if (leftNanos <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
        }
        return true;
    }
}
