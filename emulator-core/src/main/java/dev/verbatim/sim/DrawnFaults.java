// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;

/** Draws fates. A fault that cannot happen is not asked for, so it neither costs a choice nor shows in a record of them. */
final class DrawnFaults implements FaultPolicy {

    /** How many lengths of time there are; enough for any order of the packets that a delay can mix. */
    private static final int LENGTHS = 1_000;

    private final LinkFaults faults;
    private final Choices choices;
    private final int[] perMille = new int[ChoicePoint.values().length];

    DrawnFaults(LinkFaults faults, Choices choices) {
        this.faults = faults;
        this.choices = choices;
        for (ChoicePoint point : ChoicePoint.values()) {
            perMille[point.ordinal()] = faults.perMille(point);
        }
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        if (happens(ChoicePoint.LINK_DROP)) {
            return Fate.DROP;
        }
        if (happens(ChoicePoint.LINK_CORRUPT)) {
            return Fate.CORRUPT;
        }
        if (happens(ChoicePoint.LINK_REORDER)) {
            return Fate.OVERTAKEN;
        }
        if (happens(ChoicePoint.LINK_CUT)) {
            return Fate.outage(Outage.CUT, drawNanos(faults.longestCutNanos()));
        }
        if (happens(ChoicePoint.DEVICE_SILENCE)) {
            return Fate.outage(Outage.SILENCE, 0);
        }
        if (happens(ChoicePoint.DEVICE_CRASH)) {
            return Fate.outage(Outage.CRASH, 0);
        }
        boolean twice = happens(ChoicePoint.LINK_DUPLICATE);
        if (happens(ChoicePoint.LINK_DELAY)) {
            return new Fate(twice ? 2 : 1, drawNanos(faults.longestExtraDelayNanos()));
        }
        return twice ? Fate.DUPLICATE : Fate.DELIVER;
    }

    private boolean happens(ChoicePoint fault) {
        return choices.chance(fault, perMille[fault.ordinal()]);
    }

    private long drawNanos(long longestNanos) {
        long step = choices.choose(ChoicePoint.FAULT_LENGTH, LENGTHS) + 1L;
        return Math.max(1, longestNanos * step / LENGTHS);
    }

    @Override
    public String toString() {
        return "fates of " + faults + " drawn by " + choices;
    }
}
