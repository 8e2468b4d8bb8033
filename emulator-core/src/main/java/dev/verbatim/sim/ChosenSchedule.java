// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.List;

/** Leaves to choices what a freedom leaves open, and takes the first of everything else without asking. */
final class ChosenSchedule implements Schedule {

    private final Freedom freedom;
    private final Choices choices;
    private int faults;

    ChosenSchedule(Freedom freedom, Choices choices) {
        this.freedom = freedom;
        this.choices = choices;
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        int candidates = freedom.candidates(events);
        return candidates == 1 ? 0 : choices.choose(events.get(0).point(), candidates);
    }

    @Override
    public boolean weighsFootprints() {
        return false;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return freedom.isOn(point);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (alternatives == 1 || isFixed(point)) {
            return 0;
        }
        int taken = choices.choose(point, alternatives);
        countFault(point, taken != 0);
        return taken;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        if (perMille == 0 || isFixed(point)) {
            return false;
        }
        boolean happens = choices.chance(point, perMille);
        countFault(point, happens);
        return happens;
    }

    private boolean isFixed(ChoicePoint point) {
        return !freedom.isOn(point) || (point.kind() == ChoicePoint.Kind.FAULT && faults >= freedom.faults());
    }

    private void countFault(ChoicePoint point, boolean happened) {
        if (happened && point.kind() == ChoicePoint.Kind.FAULT) {
            faults++;
        }
    }

    @Override
    public String toString() {
        return "schedule by " + choices + " with " + freedom;
    }
}
