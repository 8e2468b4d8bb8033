// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** Has a completion queue hold its event until there are several completions, or some time has passed (CQ-07). On the lane. */
public final class CqModeration extends LaneTimer {

    /** Completions of one event, at most: what the field of {@code struct ibv_moderate_cq} can hold. */
    public static final int MAX_COUNT = 0xffff;

    /** Delay of an event, at most. */
    public static final int MAX_PERIOD_MICROS = 0xffff;

    private static final int NANOS_OF_MICRO = 1000;

    private final Lane lane;
    private final Runnable fire;
    private final int count;
    private final long periodNanos;
    private int held;

    /**
     * Checked numbers.
     *
     * @param fire raises the event that was held
     */
    CqModeration(Lane lane, Runnable fire, int count, int periodMicros) {
        this.lane = lane;
        this.fire = fire;
        this.count = count;
        this.periodNanos = (long) periodMicros * NANOS_OF_MICRO;
    }

    static void check(int count, int periodMicros) {
        if (count < 0 || count > MAX_COUNT || periodMicros < 0 || periodMicros > MAX_PERIOD_MICROS) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CQ_07,
                    "cq_count=%d is not in 0..%d or cq_period=%d is not in 0..%d",
                    count,
                    MAX_COUNT,
                    periodMicros,
                    MAX_PERIOD_MICROS);
        }
    }

    /** Whether these numbers hold an event at all: without an end of waiting, or for a single completion, none is held. */
    static boolean holds(int count, int periodMicros) {
        return count > 1 && periodMicros > 0;
    }

    /** A completion was added that would raise an event; whether it is raised now. */
    boolean isDue() {
        held++;
        if (held >= count) {
            end();
            return true;
        }
        if (!isArmed()) {
            lane.arm(this, lane.nowNanos() + periodNanos);
        }
        return false;
    }

    /** Nothing is held any more. */
    void end() {
        held = 0;
        lane.forget(this);
    }

    boolean isHolding() {
        return held > 0;
    }

    @Override
    protected void expire(long nowNanos) {
        held = 0;
        fire.run();
    }
}
