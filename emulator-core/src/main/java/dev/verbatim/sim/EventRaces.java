// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * What follows for an event of a run from the run alone, whatever was or will be taken elsewhere; {@link SourceSets} says what follows from it.
 * Events are named by their places in the run. Nobody changes the sets.
 *
 * @param before events that are before this one
 * @param races those of them that are in a race with it
 * @param maker the event with which this one became possible; -1 if it was from the beginning, or that is not known
 * @param impossible which of the events that might have been next instead are not possible behind this one, by their indices at its node
 */
record EventRaces(BitSet before, BitSet races, int maker, BitSet impossible) {

    /** Of an event that was not looked at yet. */
    static final EventRaces UNKNOWN = new EventRaces(new BitSet(), new BitSet(), -1, new BitSet());

    /**
     * Finds them for all events from {@code from} on, unless the thread is interrupted meanwhile. Those before have theirs.
     *
     * @param run the events, as nodes
     * @param possibleAtEnd what was possible after the last one
     * @param waiting events that may need two things together
     */
    static void find(List<ExplorationNode> run, int from, List<String> possibleAtEnd, Set<String> waiting) {
        for (int j = from; j < run.size() && !Thread.currentThread().isInterrupted(); j++) {
            List<String> after = j + 1 < run.size() ? List.of(run.get(j + 1).possible) : possibleAtEnd;
            run.get(j).follows = of(run, j, after, waiting);
        }
    }

    /**
     * From the last on, so that of those that are in order with it nothing comes between where it is not yet known to be before. What the event would
     * force is before it, and comes between none.
     */
    private static EventRaces of(List<ExplorationNode> run, int j, List<String> after, Set<String> waiting) {
        ExplorationNode event = run.get(j);
        BitSet before = new BitSet(j);
        BitSet forced = new BitSet(j);
        BitSet races = new BitSet(j);
        int maker = waiting.contains(event.key()) ? -1 : maker(run, j);
        for (int i = j - 1; i >= 0; i--) {
            ExplorationNode earlier = run.get(i);
            if (before.get(i) || (i != maker && !earlier.staysBefore(event))) {
                continue;
            }
            boolean isForced = i != maker && earlier.touchedNow.isForcedBy(event.touchedNow);
            BitSet chain = isForced ? forced : before;
            chain.set(i);
            chain.or(earlier.follows.before);
            if (!isForced && i != maker && mayBeReversed(earlier, event)) {
                races.set(i);
            }
        }
        before.or(forced);
        BitSet impossible = new BitSet(event.keys.length);
        for (int index = 0; index < event.keys.length; index++) {
            impossible.set(index, index != event.taken && !after.contains(event.keys[index]));
        }
        return new EventRaces(before, races, maker, impossible);
    }

    /** The event with which this one became possible, and has been since; -1 if it was from the beginning. */
    static int maker(List<ExplorationNode> run, int j) {
        String key = run.get(j).key();
        int since = j;
        while (since > 0
                && run.get(since - 1).isPossible(key)
                && !run.get(since - 1).key().equals(key)) {
            since--;
        }
        return since - 1;
    }

    /** Whether the later event could have come before the earlier one, which did not make it possible. */
    private static boolean mayBeReversed(ExplorationNode earlier, ExplorationNode later) {
        return !earlier.key().equals(later.key())
                && !later.key().equals(EnabledEvents.TIME)
                && !earlier.touchedNow.mustPrecede(later.touchedNow);
    }
}
