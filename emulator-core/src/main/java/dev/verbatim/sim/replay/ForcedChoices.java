// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;

/** The first choices of a walk: those that lead to where another one stopped, or to the part that it covers. */
public final class ForcedChoices {

    private final Choices choices;
    private final int pinned;
    private final int length;
    private int used;

    /** Goes on where another walk stopped: before {@code list} all was seen, except below its first {@code pinned} choices. */
    public ForcedChoices(ChoiceList list, int pinned) {
        this.choices = Choices.replayed(list);
        this.length = list.length();
        this.pinned = pinned;
    }

    public boolean remain() {
        return used < length;
    }

    /** Whether the next one stays as it is for good. */
    public boolean isPinned() {
        return used < pinned;
    }

    public int next(ChoicePoint point, int alternatives) {
        used++;
        return choices.choose(point, alternatives);
    }
}
