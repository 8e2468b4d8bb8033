// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import java.util.Collections;
import java.util.List;

/** Leaves to choices what is open, and takes the first of everything else without asking. */
final class ChosenSchedule implements Schedule {

    private final OpenChoices openChoices;
    private final Choices choices;
    private final Shown shown = new Shown();

    /** Whether nothing that may happen must be first. */
    private final boolean passesOverAll;

    private int faults;

    ChosenSchedule(OpenChoices openChoices, Choices choices) {
        this.openChoices = openChoices;
        this.choices = choices;
        this.passesOverAll = openChoices.ordersAll();
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        shown.events = events;
        shown.count = passesOverAll && !events.isEmpty() ? events.size() : openChoices.candidates(events);
        return choices.chooseEvent(shown);
    }

    /** The events that may be next: those of the present decision. */
    private static final class Shown implements Candidates {

        private List<? extends PossibleEvent> events = Collections.emptyList();
        private int count;

        @Override
        public int count() {
            return count;
        }

        @Override
        public ChoicePoint point(int index) {
            return events.get(index).point();
        }

        @Override
        public String key(int index) {
            return events.get(index).key();
        }

        @Override
        public String text(int index) {
            return events.get(index).text();
        }
    }

    @Override
    public boolean weighsFootprints() {
        return false;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return openChoices.isOn(point);
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
        return !openChoices.isOn(point) || (point.kind() == ChoicePoint.Kind.FAULT && faults >= openChoices.faults());
    }

    private void countFault(ChoicePoint point, boolean happened) {
        if (happened && point.kind() == ChoicePoint.Kind.FAULT) {
            faults++;
        }
    }

    @Override
    public String toString() {
        return "schedule by " + choices + " with " + openChoices;
    }
}
