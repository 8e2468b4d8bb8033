// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/**
 * A timer of a {@link Lane}. Moving it to a later time or disarming it costs a field: its place in the queue is mended
 * when its turn comes.
 */
public abstract class LaneTimer {

    static final int NOT_QUEUED = -1;

    int slot = NOT_QUEUED;
    long queuedNanos;
    long order;
    long deadlineNanos;
    boolean armed;

    /** The time has come. On the lane; the timer is no longer armed. */
    protected abstract void expire(long nowNanos);

    /** Whether it is going to expire. */
    public final boolean isArmed() {
        return armed;
    }

    /** It will not expire unless armed again. On the lane. */
    public final void disarm() {
        armed = false;
    }
}
