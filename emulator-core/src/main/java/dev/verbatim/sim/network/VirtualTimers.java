// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Repetition;
import dev.verbatim.fabric.TimerQueue;
import java.util.ArrayList;
import java.util.List;

/** The timers of a simulation. Repetitions that are in vain let it end when nothing but them is left to happen. */
public final class VirtualTimers {

    private final TimerQueue timers;
    private final TimerQueue repetitions = TimerQueue.byAge();
    private final List<Repetition> repeating = new ArrayList<>();
    private long changes;

    /** None; of one deadline they expire in the order of that queue. */
    public VirtualTimers(TimerQueue timers) {
        this.timers = timers;
    }

    /** A program did something. */
    public void changed() {
        changes++;
    }

    /** Sets or moves a timer. */
    public void arm(LaneTimer timer, long deadlineNanos) {
        if (timer instanceof Repetition repetition) {
            repetition.refused(changes);
            repetitions.arm(repetition, deadlineNanos);
            repeating.remove(repetition);
            repeating.add(repetition);
        } else {
            timers.arm(timer, deadlineNanos);
        }
    }

    /** Disarms a timer and lets go of it. */
    public void forget(LaneTimer timer) {
        if (timer instanceof Repetition repetition) {
            repetitions.forget(repetition);
            repeating.remove(repetition);
        } else {
            timers.forget(timer);
        }
    }

    /** Expires what is due, by deadline; repetitions last. */
    public void expireDue(long nowNanos) {
        boolean unused = timers.expireDue(nowNanos);
        unused = repetitions.expireDue(nowNanos);
    }

    /**
     * When the next one expires; {@link SteppedLane#NEVER} if there is none, or it would expire in vain.
     *
     * @param isLast whether nothing else is left to happen, at any time
     */
    public long nextDeadlineNanos(boolean isLast) {
        long next = timers.nextDeadlineNanos();
        boolean isInVain = isLast && next == SteppedLane.NEVER && isInVain();
        return isInVain ? next : Math.min(next, repetitions.nextDeadlineNanos());
    }

    private boolean isInVain() {
        repeating.removeIf(repetition -> !repetition.isArmed());
        for (Repetition repetition : repeating) {
            if (!repetition.isInVain(changes)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return timers + ", repetitions=" + repeating.size();
    }
}
