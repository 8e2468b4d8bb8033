// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.List;
import java.util.function.Consumer;

/** A schedule that tells where something else was chosen than a simple device would do. */
final class ReportingSchedule implements Schedule {

    private final Schedule schedule;
    private final Consumer<ChoicePoint> listener;

    ReportingSchedule(Schedule schedule, Consumer<ChoicePoint> listener) {
        this.schedule = schedule;
        this.listener = listener;
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        int picked = schedule.next(events);
        tell(events.get(0).point(), picked);
        return picked;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        int taken = schedule.choose(point, alternatives);
        tell(point, taken);
        return taken;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        boolean happens = schedule.chance(point, perMille);
        tell(point, happens ? 1 : 0);
        return happens;
    }

    private void tell(ChoicePoint point, int taken) {
        if (taken != 0) {
            listener.accept(point);
        }
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return schedule.isOpen(point);
    }

    @Override
    public boolean weighsFootprints() {
        return schedule.weighsFootprints();
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        schedule.happened(event, footprint);
    }

    @Override
    public String toString() {
        return schedule.toString();
    }
}
