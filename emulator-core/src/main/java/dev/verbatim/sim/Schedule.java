// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.List;
import java.util.stream.Stream;

/** Decides everything that a run leaves open: which event is next, and the {@link Choices}. */
public interface Schedule extends Choices {

    /** The schedule that leaves to {@code choices} what {@code openChoices} leaves open. For one run. */
    static Schedule by(Choices choices, OpenChoices openChoices) {
        return new ChosenSchedule(openChoices, choices);
    }

    /** The same schedule; {@code listener} receives each choice that is not the default. */
    default Schedule reporting(ChoiceListener listener) {
        return new ReportingSchedule(this, listener);
    }

    /**
     * Picks the next event.
     *
     * @param events in canonical order, which is that of {@link EnabledEvents#kind}, and within a kind any: the first is the default; at least
     *     one
     * @return its index
     */
    int next(List<? extends PossibleEvent> events);

    /** Whether the schedule uses the footprints of events, which cost time to compute. */
    default boolean weighsFootprints() {
        return true;
    }

    /**
     * Whether it uses the footprint of what happens from now on until the next event is picked; asked before the first event, and behind each
     * decision about one.
     */
    default boolean weighsNow() {
        return weighsFootprints();
    }

    /** Whether it never picks an event behind one whose point is off; then which of them come first belongs to what events touch. */
    default boolean fixesSomeOrder() {
        return Stream.of(ChoicePoint.values()).anyMatch(point -> point.isOfTurns() && !isOpen(point));
    }

    /**
     * Before {@link #next}, of each program that waits for two things to be so together: its next step is the event {@code key}, and whether
     * that is possible was found out by a look at this.
     */
    default void awaits(String key, Footprint looks) {}

    /**
     * Before {@link #next}: until this is told again, that is the last event in the canonical order, whatever happens; where it may be next,
     * nothing waits for it.
     */
    default void comesLast(String key) {}

    /** Since the last event something happened that belongs to none: the program that opened the simulation did something. */
    default void disturbed() {}

    /** The event that was picked has happened, and this is all that it looked at and changed, where that {@linkplain #weighsNow is used}; it stays as it is. */
    default void happened(PossibleEvent event, Footprint footprint) {}
}
