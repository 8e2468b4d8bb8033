// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;

/** Draws fates. A fault that cannot happen is not asked for, so it neither costs a choice nor shows in a record of them. */
final class DrawnFates implements Fates {

    /** How many lengths of delay there are; enough for any order of the packets that a delay can mix. */
    private static final int DELAYS = 1_000;

    private final LinkFaults faults;
    private final Choices choices;

    DrawnFates(LinkFaults faults, Choices choices) {
        this.faults = faults;
        this.choices = choices;
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        if (choices.chance(ChoicePoint.LINK_DROP, faults.dropPerMille())) {
            return Fate.DROP;
        }
        if (choices.chance(ChoicePoint.LINK_CORRUPT, faults.corruptPerMille())) {
            return Fate.CORRUPT;
        }
        if (choices.chance(ChoicePoint.LINK_REORDER, faults.reorderPerMille())) {
            return Fate.OVERTAKEN;
        }
        boolean twice = choices.chance(ChoicePoint.LINK_DUPLICATE, faults.duplicatePerMille());
        if (choices.chance(ChoicePoint.LINK_DELAY, faults.delayPerMille())) {
            return new Fate(twice ? 2 : 1, drawDelayNanos());
        }
        return twice ? Fate.DUPLICATE : Fate.DELIVER;
    }

    private long drawDelayNanos() {
        long step = choices.choose(ChoicePoint.LINK_DELAY, DELAYS) + 1L;
        return Math.max(1, faults.longestExtraDelayNanos() * step / DELAYS);
    }
}
