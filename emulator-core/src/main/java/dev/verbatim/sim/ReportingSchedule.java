// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A schedule that reports choices other than the default. */
final class ReportingSchedule implements Schedule {

    private final Schedule schedule;
    private final ChoiceListener listener;
    private final Passed passed = new Passed();

    ReportingSchedule(Schedule schedule, ChoiceListener listener) {
        this.schedule = schedule;
        this.listener = listener;
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        int picked = schedule.next(events);
        if (picked != 0) {
            passed.first = events.get(0);
            passed.taken = events.get(picked);
            listener.chosen(events.get(0).point(), passed);
        }
        return picked;
    }

    /** Which event was chosen before which, last. */
    private static final class Passed implements Supplier<String> {

        private @Nullable PossibleEvent first;
        private @Nullable PossibleEvent taken;

        @Override
        public String get() {
            return Objects.requireNonNull(taken).text() + ", before "
                    + Objects.requireNonNull(first).text();
        }
    }

    @Override
    public boolean fixesSomeOrder() {
        return schedule.fixesSomeOrder();
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        int taken = schedule.choose(point, alternatives);
        tell(point, taken != 0);
        return taken;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        boolean happens = schedule.chance(point, perMille);
        tell(point, happens);
        return happens;
    }

    private void tell(ChoicePoint point, boolean differs) {
        if (differs) {
            listener.chosen(point, () -> "");
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
    public boolean weighsNow() {
        return schedule.weighsNow();
    }

    @Override
    public void awaits(String key, Footprint looks) {
        schedule.awaits(key, looks);
    }

    @Override
    public void comesLast(String key) {
        schedule.comesLast(key);
    }

    @Override
    public void disturbed() {
        schedule.disturbed();
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
