// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Random priorities with few changes (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, <i>A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs</i>, ASPLOS 2010).
 *
 * <p>Each stream of events (program, requester, responder, packets to a queue pair over a link, its completions, each piece of
 * bytes that is placed) has a random priority, and the event of the stream with the highest one is next. At d-1 choices, drawn
 * from the first k, the stream that would be next gets a priority below all those drawn at first. A mistake of depth d shows itself
 * whenever d events are in a certain order. In a run with n streams and at most k choices of events, the probability that it is found
 * is at least 1/(n k<sup>d-1</sup>).
 *
 * <p>Behind 4k choices events are drawn uniformly, so that a program that never waits holds up the others for a while only.
 */
public final class PriorityChoices implements Choices {

    private static final int PRIORITIES = 1 << 30;
    private static final int CHOICES_BEFORE_UNIFORM = 4;

    private final SplitMix64 sequence;
    private final long[] changeAt;
    private final long mostOrdered;
    private final Map<String, Integer> priorities = new TreeMap<>();
    private long asked;

    /**
     * Priorities that are drawn from a seed.
     *
     * @param depth d, from 1: one more than there are changes
     * @param choices k, from 1: among so many choices of events the changes are
     */
    public PriorityChoices(long seed, int depth, int choices) {
        this.sequence = new SplitMix64(seed);
        this.mostOrdered = (long) CHOICES_BEFORE_UNIFORM * choices;
        this.changeAt = new long[depth - 1];
        for (int i = 0; i < changeAt.length; i++) {
            changeAt[i] = 1L + sequence.below(choices);
        }
    }

    @Override
    public int chooseEvent(Candidates events) {
        if (events.count() == 1) {
            return 0;
        }
        asked++;
        if (asked > mostOrdered) {
            return sequence.below(events.count());
        }
        int best = highest(events);
        for (int i = 0; i < changeAt.length; i++) {
            if (changeAt[i] == asked) {
                priorities.put(EventSources.streamOf(events, best), i);
                best = highest(events);
            }
        }
        return best;
    }

    private int highest(Candidates events) {
        int best = 0;
        int highest = -1;
        for (int i = 0; i < events.count(); i++) {
            int priority = priorities.computeIfAbsent(
                    EventSources.streamOf(events, i), stream -> changeAt.length + sequence.below(PRIORITIES));
            if (priority > highest) {
                best = i;
                highest = priority;
            }
        }
        return best;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return sequence.below(alternatives);
    }

    @Override
    public String toString() {
        return "priorities with " + changeAt.length + " changes";
    }
}
