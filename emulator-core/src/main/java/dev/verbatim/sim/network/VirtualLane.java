// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lane of a simulation: all devices on one lane, and virtual time. It has no thread: a thread that polls or waits
 * runs the steps of {@link VirtualScheduler}.
 */
public final class VirtualLane implements SteppedLane {

    private final VirtualClock clock = new VirtualClock();
    private final ReentrantLock lock = new ReentrantLock();
    private final VirtualScheduler scheduler;

    public VirtualLane(InFlightPackets inFlight) {
        this.scheduler = new VirtualScheduler(clock, inFlight);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long nowNanos() {
        return clock.nanoTime();
    }

    @Override
    public boolean isCurrent() {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public void ring(Doorbell doorbell) {
        scheduler.ring(doorbell);
    }

    @Override
    public void progress() {
        if (!isCurrent() && lock.tryLock()) {
            try {
                scheduler.changed();
                scheduler.step(NEVER);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void call(Runnable work) {
        lock.lock();
        try {
            if (lock.getHoldCount() == 1) {
                scheduler.changed();
            }
            work.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void arm(LaneTimer timer, long deadlineNanos) {
        scheduler.arm(timer, deadlineNanos);
    }

    @Override
    public void forget(LaneTimer timer) {
        scheduler.forget(timer);
    }

    @Override
    public boolean await(WaitPoint place, long patienceNanos) {
        return awaitSoon(place, place::isReady, patienceNanos);
    }

    @Override
    public boolean awaitSoon(WaitPoint place, BooleanSupplier done, long patienceNanos) {
        return stepUntil(() -> done.getAsBoolean() || WaitPoint.refuseIfInterrupted(), patienceNanos);
    }

    @Override
    public boolean spin(BooleanSupplier done, long patienceNanos) {
        return stepUntil(done, patienceNanos);
    }

    @Override
    public void enqueue(PacketSource source) {
        scheduler.enqueue(source);
    }

    @Override
    public void giveLastTurns(LossyPort port) {
        scheduler.giveLastTurns(port);
    }

    @Override
    public boolean step() {
        return stepOrReach(NEVER);
    }

    @Override
    public void pass(long nanos) {
        requireNotCurrent();
        long untilNanos = after(nanos);
        boolean happened;
        do {
            happened = stepOrReach(untilNanos);
        } while (happened);
    }

    /** One step that leads no further than {@code untilNanos}; where there is none, it is then, and the result is false. */
    private boolean stepOrReach(long untilNanos) {
        requireNotCurrent();
        lock.lock();
        try {
            if (clock.nanoTime() <= untilNanos && scheduler.step(untilNanos)) {
                return true;
            }
            if (untilNanos != NEVER) {
                clock.advanceTo(untilNanos);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves virtual time on until it is done or patience ended. Without any patience it makes one step, as a poll does, so
     * that a loop of such waits gets on.
     */
    private boolean stepUntil(BooleanSupplier done, long patienceNanos) {
        requireNotCurrent();
        if (patienceNanos <= 0) {
            if (done.getAsBoolean()) {
                return true;
            }
            progress();
            return done.getAsBoolean();
        }
        long untilNanos = after(patienceNanos);
        while (!done.getAsBoolean()) {
            if (!stepOrReach(untilNanos)) {
                return isDoneAtLast(done, untilNanos);
            }
        }
        return true;
    }

    private boolean isDoneAtLast(BooleanSupplier done, long untilNanos) {
        boolean isDone = done.getAsBoolean();
        if (!isDone && untilNanos == NEVER) {
            throw VerbsException.of(
                    Errno.EDEADLK,
                    Rule.N_08,
                    "this wait can never end: no packet is under way and no timer is armed at t=%d ns; post what it waits"
                            + " for first, or wait with patience",
                    clock.nanoTime());
        }
        return isDone;
    }

    private long after(long nanos) {
        long nowNanos = clock.nanoTime();
        return nanos > NEVER - nowNanos ? NEVER : nowNanos + nanos;
    }

    private void requireNotCurrent() {
        if (isCurrent()) {
            throw VerbsException.of(
                    Errno.EDEADLK,
                    Rule.N_10,
                    "this thread runs the lane, and a wait would block it for ever; wait from a thread that runs no tap"
                            + " or event handler");
        }
    }

    @Override
    public String toString() {
        return "lane in virtual time at " + clock;
    }
}
