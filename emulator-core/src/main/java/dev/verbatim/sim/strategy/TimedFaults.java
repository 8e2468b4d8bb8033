// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;

/**
 * Other choices, but with faults early or late: none behind, or before, a number of packets, and more on the other side. How often each
 * kind of fault is asked for counts the packets.
 */
public final class TimedFaults implements Choices {

    private static final int TIMES_MORE = 8;

    /** Faults that are rarer are not made more frequent than this, so that seven retries suffice as before. */
    private static final int MOST_PER_MILLE = 250;

    private final Choices choices;
    private final boolean isEarly;
    private final int packets;
    private final int[] asked = new int[ChoicePoint.values().length];

    /** Faults of the first {@code packets} packets, or of those behind them. */
    public TimedFaults(Choices choices, boolean isEarly, int packets) {
        this.choices = choices;
        this.isEarly = isEarly;
        this.packets = packets;
    }

    @Override
    public int chooseEvent(Candidates events) {
        return choices.chooseEvent(events);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return choices.choose(point, alternatives);
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        if (perMille == 0) {
            return false;
        }
        boolean isFirst = asked[point.ordinal()]++ < packets;
        int more = Math.max(perMille, Math.min(TIMES_MORE * perMille, MOST_PER_MILLE));
        return isFirst == isEarly && choices.chance(point, more);
    }

    @Override
    public String toString() {
        return (isEarly ? "early" : "late") + " faults with " + choices;
    }
}
