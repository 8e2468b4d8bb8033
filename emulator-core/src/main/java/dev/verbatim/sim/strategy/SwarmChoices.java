// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.EnumSet;
import java.util.Set;

/**
 * Other choices at some choice points only, which are drawn for the whole run (swarm testing: A. Groce, C. Zhang, E. Eide, Y. Chen, J.
 * Regehr, <i>Swarm Testing</i>, ISSTA 2012): what hides a mistake does not happen in some of the runs. At the other points the default is
 * taken, and events there happen at once.
 */
public final class SwarmChoices implements Choices {

    private final Choices choices;
    private final Set<ChoicePoint> off = EnumSet.noneOf(ChoicePoint.class);

    /** Those choices, at half of the points. Programs, requests, packets and faults are never left out, nor is {@code kept}. */
    public SwarmChoices(Choices choices, long seed, Set<ChoicePoint> kept) {
        this.choices = choices;
        SplitMix64 sequence = new SplitMix64(seed);
        for (ChoicePoint point : ChoicePoint.values()) {
            boolean isOff = sequence.below(2) == 0;
            boolean stays = switch (point) {
                case PROGRAM_STEP, REQUEST, ARRIVAL, FAULT_LENGTH -> true;
                default -> point.kind() == ChoicePoint.Kind.FAULT;
            };
            if (isOff && !stays && !kept.contains(point)) {
                off.add(point);
            }
        }
    }

    @Override
    public int chooseEvent(Candidates events) {
        for (int i = 0; i < events.count(); i++) {
            if (off.contains(events.point(i))) {
                return i;
            }
        }
        return choices.chooseEvent(events);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return off.contains(point) ? 0 : choices.choose(point, alternatives);
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return choices.chance(point, perMille);
    }

    @Override
    public String toString() {
        return choices + " without " + off;
    }
}
