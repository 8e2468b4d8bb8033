// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A timer of a {@link Lane}. Moving it to a later time or disarming it only writes a field; its position in the queue is corrected
 * when it would expire.
 */
public abstract class LaneTimer {

    static final int NOT_QUEUED = -1;

    private static final AtomicLong MADE = new AtomicLong();

    /** The how many-th timer that was made. */
    final long age = MADE.getAndIncrement();

    int slot = NOT_QUEUED;
    boolean armed;

    /** When it expires. */
    long deadlineNanos;

    /** The how many-th arming of its queue that was. */
    long arming;

    /** Timers of one deadline expire in this order. */
    long order;

    /** Deadline by which it is queued at present: not after the true one. */
    long queuedNanos;

    /** Order by which it is queued at present; other than the true one as long as its place is not mended. */
    long queuedOrder;

    /** The timer expires; it is no longer armed. On the lane. */
    protected abstract void expire(long nowNanos);

    /** Whether it will expire. */
    public final boolean isArmed() {
        return armed;
    }

    /** It will not expire unless armed again. On the lane. */
    public final void disarm() {
        armed = false;
    }
}
