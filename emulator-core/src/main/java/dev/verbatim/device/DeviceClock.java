// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.SystemClock;

/** The clock of a device: that of its lane, which also stamps completions (CQ-06). */
final class DeviceClock {

    private final Lane lane;
    private final long epochOffsetNanos;

    /** The clock of a device that is attached. Simulated time begins with the epoch. */
    DeviceClock(Lane lane) {
        this.lane = lane;
        this.epochOffsetNanos =
                lane.isSimulated() ? 0 : SystemClock.epochNanos() - lane.clock().nanoTime();
    }

    long nowNanos() {
        return lane.clock().nanoTime();
    }

    long sinceEpoch(long clockNanos) {
        return clockNanos + epochOffsetNanos;
    }
}
