// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.DoorbellQueue;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.TimerQueue;
import dev.verbatim.fabric.WaitPoint;
import java.util.function.BooleanSupplier;

/** The lane of a test with one thread: what is asked is done at once, and time moves when the test says so. */
public final class ManualLane implements Lane {

    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final TimerQueue timers = new TimerQueue();
    private long nowNanos;
    private boolean answering;

    /** Moves time on to {@code nanos}, and expires on the way what is due, each timer exactly at its time. */
    public void advanceTo(long nanos) {
        if (nanos < nowNanos) {
            throw new IllegalArgumentException(
                    "nanos=" + nanos + " < nowNanos=" + nowNanos + "; time does not go back");
        }
        while (timers.nextDeadlineNanos() <= nanos) {
            nowNanos = Math.max(nowNanos, timers.nextDeadlineNanos());
            timers.expireDue(nowNanos);
        }
        nowNanos = nanos;
    }

    /** The lane is held up until {@code nanos}; what was due meanwhile expires then. */
    public void heldUpUntil(long nanos) {
        nowNanos = nanos;
        timers.expireDue(nanos);
    }

    /** When the next timer expires; {@link Long#MAX_VALUE} if none will. */
    public long nextDeadlineNanos() {
        return timers.nextDeadlineNanos();
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public void ring(Doorbell doorbell) {
        doorbells.ring(doorbell);
        if (!answering) {
            answering = true;
            try {
                while (doorbells.answerAll()) {
                    // an answer may have rung others
                }
            } finally {
                answering = false;
            }
        }
    }

    @Override
    public void progress() {
        // nothing waits to be done
    }

    @Override
    public void call(Runnable work) {
        work.run();
    }

    @Override
    public void arm(LaneTimer timer, long deadlineNanos) {
        timers.arm(timer, deadlineNanos);
    }

    @Override
    public void forget(LaneTimer timer) {
        timers.forget(timer);
    }

    @Override
    public boolean await(WaitPoint place, long patienceNanos) {
        return place.isReady();
    }

    /** Nobody else runs: what has not come will not come by waiting. */
    @Override
    public boolean spin(BooleanSupplier done, long patienceNanos) {
        return done.getAsBoolean();
    }

    @Override
    public Clock clock() {
        return () -> nowNanos;
    }
}
