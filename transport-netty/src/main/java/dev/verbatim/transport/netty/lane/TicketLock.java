// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock that threads get in the order in which they asked for it. Unlike the fair lock of Java it makes no object for a
 * thread that waits. {@link #tryLock()} does not overtake who waits. Waits cannot be interrupted, and there are no conditions.
 */
class TicketLock implements Lock {

    /** So many waiting threads are woken when it is their turn; those behind them look every {@link #PAUSE_NANOS}. A power of two. */
    private static final int SLOTS = 64;

    private static final long PAUSE_NANOS = 50_000;

    private final AtomicLong nextTicket = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Thread> waiting = new AtomicReferenceArray<>(SLOTS);
    private volatile long served;
    private volatile @Nullable Thread owner;
    private int holds;

    @Override
    public final void lock() {
        if (isHeldByCurrentThread()) {
            holds++;
            return;
        }
        long ticket = nextTicket.getAndIncrement();
        if (served != ticket) {
            await(ticket);
        }
        acquired();
    }

    private void acquired() {
        owner = Thread.currentThread();
        holds = 1;
    }

    private void await(long ticket) {
        Thread self = Thread.currentThread();
        int slot = slotOf(ticket);
        boolean interrupted = false;
        while (served != ticket) {
            if (!self.equals(waiting.get(slot)) && !waiting.compareAndSet(slot, null, self)) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            } else if (served != ticket) {
                LockSupport.park(this);
            }
            interrupted |= Thread.interrupted();
        }
        waiting.compareAndSet(slot, self, null);
        if (interrupted) {
            self.interrupt();
        }
    }

    private static int slotOf(long ticket) {
        return (int) ticket & SLOTS - 1;
    }

    @Override
    public final boolean tryLock() {
        if (isHeldByCurrentThread()) {
            holds++;
            return true;
        }
        long ticket = served;
        if (nextTicket.get() != ticket || !nextTicket.compareAndSet(ticket, ticket + 1)) {
            return false;
        }
        acquired();
        return true;
    }

    @Override
    public void unlock() {
        if (!isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException("the lane's lock is not held by this thread");
        }
        if (--holds > 0) {
            return;
        }
        owner = null;
        long next = served + 1;
        served = next;
        Thread waiter = waiting.get(slotOf(next));
        if (waiter != null) {
            LockSupport.unpark(waiter);
        }
    }

    final boolean isHeldByCurrentThread() {
        return Thread.currentThread().equals(owner);
    }

    /** Whether any thread waits. By the thread that holds it this is exact. */
    final boolean hasQueuedThreads() {
        return nextTicket.get() - served > 1;
    }

    @Override
    public final void lockInterruptibly() {
        throw new UnsupportedOperationException("waits of the lane's lock cannot be interrupted");
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("waits of the lane's lock have no limit");
    }

    @Override
    public final Condition newCondition() {
        throw new UnsupportedOperationException("the lane's lock has no conditions");
    }
}
