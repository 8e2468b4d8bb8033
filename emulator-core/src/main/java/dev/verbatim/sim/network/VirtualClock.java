// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.Clock;

/** Time that passes when the simulation says so; starts at 0. */
public final class VirtualClock implements Clock {

    private volatile long nowNanos;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Moves time forward; a time that has passed changes nothing. Under the lane's lock. */
    public void advanceTo(long nanos) {
        if (nanos > nowNanos) {
            nowNanos = nanos;
        }
    }

    @Override
    public String toString() {
        return "t=" + nowNanos + " ns";
    }
}
