// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import dev.verbatim.fabric.LaneTimer;

/** The time for which a link without a connection is not yet lost. All on the lane. */
public final class Grace extends LaneTimer {

    private final NettyLane lane;
    private final long nanos;
    private final Runnable then;

    /**
     * None at present.
     *
     * @param then what to do when it is over
     */
    public Grace(NettyLane lane, long nanos, Runnable then) {
        this.lane = lane;
        this.nanos = nanos;
        this.then = then;
    }

    public void begin() {
        if (nanos == 0) {
            then.run();
        } else {
            lane.arm(this, lane.nowNanos() + nanos);
        }
    }

    /** Ends it now if it runs. */
    public void cutShort() {
        if (isArmed()) {
            stop();
            then.run();
        }
    }

    public void stop() {
        lane.forget(this);
    }

    @Override
    protected void expire(long nowNanos) {
        then.run();
    }
}
