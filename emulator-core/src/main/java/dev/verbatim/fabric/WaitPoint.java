// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A condition that threads wait for. Its monitor guards the state that {@link #ready()} reads. */
public abstract class WaitPoint {

    /** How long a wait lasts before it is logged, in real time. */
    public static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(LongWait.AFTER_SECONDS);

    /** Whether it was told of a long wait here: that is done once. */
    private volatile boolean isTold;

    /** Changed with the monitor held, looked at without. */
    private volatile int parked;

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

    /**
     * For those who look instead of parking.
     *
     * @return false if the thread was not interrupted
     * @throws VerbsException EINTR if it was; it stays so
     */
    public static boolean refuseIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        return false;
    }

    /** What a wait throws when its thread was interrupted. */
    public static VerbsException interrupted() {
        return VerbsException.of(Errno.EINTR, Rule.NT_06, "the waiting thread was interrupted");
    }

    /** Whether a thread parks here, or is about to and will look once more. */
    protected final boolean hasParked() {
        return parked > 0;
    }

    /** For what whoever waits here waits at this moment, to be logged when that takes long; null to log nothing. Called without the monitor. */
    protected @Nullable Supplier<String> waitedFor() {
        return null;
    }

    /** Logs that this thread has waited for long, for those who park again and again; what throws is not logged. */
    public static void logLongWait(Supplier<String> what) {
        LongWait.log(what);
    }

    /** Parks the thread in real time until the place is ready; false if patience ended first. */
    public final boolean park(Clock clock, long patienceNanos) throws InterruptedException {
        Supplier<String> what = isTold || patienceNanos <= LONG_NANOS ? null : waitedFor();
        if (what == null) {
            return parkOnce(clock, patienceNanos);
        }
        if (parkOnce(clock, LONG_NANOS)) {
            return true;
        }
        isTold = true;
        LongWait.log(what);
        return parkOnce(clock, patienceNanos == Long.MAX_VALUE ? patienceNanos : patienceNanos - LONG_NANOS);
    }

    private synchronized boolean parkOnce(Clock clock, long patienceNanos) throws InterruptedException {
        parked++;
        try {
            return parkUntilReady(clock, patienceNanos);
        } finally {
            parked--;
        }
    }

    private boolean parkUntilReady(Clock clock, long patienceNanos) throws InterruptedException {
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
