// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.Clock;

/** Time that moves when the test says so; starts at 0. */
public final class ManualClock implements Clock {
    private volatile long nowNanos;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Sets the time; never backwards. */
    public void set(long nanos) {
        if (nanos < nowNanos) {
            throw new IllegalArgumentException(
                    "nanos=" + nanos + " < nowNanos=" + nowNanos + "; time does not go back");
        }
        nowNanos = nanos;
    }
}
