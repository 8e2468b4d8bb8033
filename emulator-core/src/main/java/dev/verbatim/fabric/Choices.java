// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.carrier.SplitMix64;

/** Decides wherever more than one behaviour is legal; the engine never decides there by accident. */
@FunctionalInterface
public interface Choices {

    /** The events of which one is next, in canonical order: the first is the default. */
    interface Candidates {

        /** How many there are; at least 1. */
        int count();

        /** The choice point that lets the event with this index wait. */
        ChoicePoint point(int index);

        /** Identifies the event with this index among those that are possible now. */
        String key(int index);

        /** Describes it in the words of traces. */
        String text(int index);
    }

    /**
     * Picks one of {@code alternatives}, counted from 0; 0 is the default.
     *
     * @param alternatives at least 1
     */
    int choose(ChoicePoint point, int alternatives);

    /**
     * Picks the next event. By default it is a choice at the point of the first, whatever the events are; one event is no choice, and
     * is only shown to those who count them.
     */
    default int chooseEvent(Candidates events) {
        return events.count() == 1 ? 0 : choose(events.point(0), events.count());
    }

    /** Whether an alternative other than the first may be picked there; if not, the alternatives need not be computed. */
    default boolean isOpen(ChoicePoint point) {
        return true;
    }

    /**
     * Decides whether an event happens that has the probability {@code perMille} in a thousand. By default it does not happen.
     * A random schedule uses the probability; an exhaustive exploration tries both.
     *
     * @param perMille 0 to 1000; 0 asks nothing
     */
    default boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 1_000) >= 1_000 - perMille;
    }

    /** Always the first alternative. */
    static Choices canonical() {
        return ReplayedChoices.OF_NONE;
    }

    /** Draws each choice; the same seed draws the same choices on every Java version. */
    static Choices seeded(long seed) {
        SplitMix64 sequence = new SplitMix64(seed);
        return new Choices() {
            @Override
            public int choose(ChoicePoint point, int alternatives) {
                if (alternatives < 1) {
                    throw new IllegalArgumentException(point + " has alternatives=" + alternatives + " < 1");
                }
                return sequence.below(alternatives);
            }

            @Override
            public String toString() {
                return "choices drawn from a seed";
            }
        };
    }

    /** What {@code choices} decide, written down; at most {@link ChoiceRecord#MOST_CHOICES} of them. */
    static ChoiceRecord recorded(Choices choices) {
        return new ChoiceRecord(choices, ChoiceRecord.MOST_CHOICES);
    }

    /**
     * The choices of a list, and behind its end the first alternatives.
     *
     * <p>Asked for another point or number of alternatives than was recorded, it throws a {@link StaleChoicesException}
     * that says where, and from then on for whatever it is asked: the run is another.
     */
    static Choices replayed(ChoiceList list) {
        return new ReplayedChoices(list);
    }
}
