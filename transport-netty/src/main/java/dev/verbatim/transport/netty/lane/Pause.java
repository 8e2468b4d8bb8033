// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.transport.netty.socket.TransportLimits;

/** The time between two tries of a dial: short at first, twice as long each time. All on the lane. */
public final class Pause {

    private final NettyLane lane;
    private final LaneTimer timer;
    private long nextNanos = TransportLimits.FIRST_PAUSE_NANOS;

    /**
     * No pause yet.
     *
     * @param then what to do when one is over
     */
    public Pause(NettyLane lane, Runnable then) {
        this.lane = lane;
        this.timer = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                then.run();
            }
        };
    }

    public void begin() {
        lane.arm(timer, lane.nowNanos() + nextNanos);
        nextNanos = Math.min(2 * nextNanos, TransportLimits.LONGEST_PAUSE_NANOS);
    }

    public boolean isRunning() {
        return timer.isArmed();
    }

    public void stop() {
        lane.forget(timer);
    }

    /** The next pause is short again. */
    public void shorten() {
        nextNanos = TransportLimits.FIRST_PAUSE_NANOS;
    }
}
