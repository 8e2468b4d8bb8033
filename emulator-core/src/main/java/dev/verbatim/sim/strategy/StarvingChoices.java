// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets one queue pair, device or program wait for long: its events happen when nothing else can, or when the time is
 * over. So nothing waits for ever. Meanwhile the others are drawn, or in canonical order; behind that all are drawn.
 */
public final class StarvingChoices implements Choices {

    /** What waits. */
    public enum Victim {
        /** The requests and responses of one queue pair, or the packets to it over one link. */
        QUEUE_PAIR,
        /** What one device does, and what arrives there. */
        DEVICE,
        /** One program. */
        PROGRAM
    }

    private final SplitMix64 sequence;
    private final Victim victim;
    private final int number;
    private final long from;
    private final long until;
    private final boolean isUniform;
    private final List<String> seen = new ArrayList<>();
    private long asked;

    /**
     * The wait of one of them.
     *
     * @param number which of its kind, from 0, in the order in which they are seen
     * @param from before this choice of an event no event is made to wait on purpose
     * @param length so many choices the wait takes at most
     * @param isUniform whether the other events are drawn
     */
    public StarvingChoices(long seed, Victim victim, int number, int from, int length, boolean isUniform) {
        this.sequence = new SplitMix64(seed);
        this.victim = victim;
        this.number = number;
        this.from = from;
        this.until = (long) from + length;
        this.isUniform = isUniform;
    }

    @Override
    public int chooseEvent(Candidates events) {
        if (events.count() == 1) {
            return 0;
        }
        asked++;
        if (asked > until) {
            return sequence.below(events.count());
        }
        int[] others = new int[events.count()];
        int count = 0;
        for (int i = 0; i < events.count(); i++) {
            if (!isStarved(events, i)) {
                others[count++] = i;
            }
        }
        if (count == 0) {
            return isUniform ? sequence.below(events.count()) : 0;
        }
        return others[isUniform ? sequence.below(count) : 0];
    }

    private boolean isStarved(Candidates events, int index) {
        boolean isIts = isOfVictim(events, index);
        return isIts && asked > from;
    }

    private boolean isOfVictim(Candidates events, int index) {
        String name = switch (victim) {
            case QUEUE_PAIR -> EventSources.queuePairOf(events, index);
            case DEVICE -> EventSources.deviceOf(events, index);
            case PROGRAM -> EventSources.programOf(events, index);
        };
        if (name.isEmpty()) {
            return false;
        }
        if (seen.size() <= number && !seen.contains(name)) {
            seen.add(name);
        }
        return seen.size() > number && seen.get(number).equals(name);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return sequence.below(alternatives);
    }

    @Override
    public String toString() {
        return "starving choices";
    }
}
