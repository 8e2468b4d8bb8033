// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.ArrayList;
import java.util.List;

/** Choices that write down what others decide. Not for several threads at a time. */
public final class ChoiceRecord implements Choices {

    /** Maximum number of choices of a run by default. */
    public static final int MOST_CHOICES = 10_000_000;

    private final Choices choices;
    private final int mostChoices;
    private final List<ChoiceList.Deviation> deviations = new ArrayList<>();
    private final ChoiceTally tally = new ChoiceTally();
    private int length;

    /** An empty record of at most so many choices; one more is refused with an {@link IllegalStateException}. */
    public ChoiceRecord(Choices choices, int mostChoices) {
        this.choices = choices;
        this.mostChoices = mostChoices;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return choices.isOpen(point);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return alternatives == 1
                ? choices.choose(point, 1)
                : add(point, alternatives, choices.choose(point, alternatives));
    }

    @Override
    public int chooseEvent(Choices.Candidates events) {
        int taken = choices.chooseEvent(events);
        return events.count() == 1 ? taken : add(events.point(0), events.count(), taken);
    }

    /** Written down as a choice between two, whatever the odds: a replay must not draw again. */
    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && add(point, 2, choices.chance(point, perMille) ? 1 : 0) == 1;
    }

    private int add(ChoicePoint point, int alternatives, int taken) {
        if (length == mostChoices) {
            throw new IllegalStateException("the run asks for more than mostChoices=" + mostChoices
                    + " choices; it may not end, or needs a larger bound");
        }
        if (taken != 0) {
            deviations.add(new ChoiceList.Deviation(length, point, alternatives, taken));
        }
        length++;
        tally.count(point, taken);
        return taken;
    }

    /** What was decided up to now. */
    public ChoiceList list() {
        return new ChoiceList(length, deviations);
    }

    /** How often each point was asked up to now; it counts on. */
    public ChoiceTally tally() {
        return tally;
    }

    @Override
    public String toString() {
        return "record of " + length + " choices of " + choices;
    }
}
