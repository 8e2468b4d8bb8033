// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.strategy;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A random priority for each single event, drawn when it becomes possible; the highest is next (basic partial order sampling: X. Yuan, J.
 * Yang, R. Gu, <i>Partial Order Aware Concurrency Sampling</i>, CAV 2018). That one event waits while m others happen has the
 * probability 1/(m+1), however long the run is, where a uniform draw needs m lucky ones in a row.
 *
 * <p>An event that has waited for {@value #LONGEST_WAIT} choices gets a new priority, so that nothing waits for ever.
 */
public final class EventPriorities implements Choices {

    private static final int PRIORITIES = 1 << 30;
    private static final long LONGEST_WAIT = 1_000;

    private final SplitMix64 sequence;
    private final Map<String, Drawn> waiting = new TreeMap<>();
    private long asked;

    /** The priority of an event, and since which choice it has it. */
    private record Drawn(int priority, long since) {}

    /** Priorities that are drawn from a seed. */
    public EventPriorities(long seed) {
        this.sequence = new SplitMix64(seed);
    }

    @Override
    public int chooseEvent(Candidates events) {
        asked++;
        Set<String> possible = new TreeSet<>();
        int best = 0;
        int highest = -1;
        for (int i = 0; i < events.count(); i++) {
            String key = events.key(i);
            possible.add(key);
            Drawn drawn = waiting.get(key);
            if (drawn == null || asked - drawn.since() > LONGEST_WAIT) {
                drawn = new Drawn(sequence.below(PRIORITIES), asked);
                waiting.put(key, drawn);
            }
            if (drawn.priority() > highest) {
                best = i;
                highest = drawn.priority();
            }
        }
        waiting.keySet().retainAll(possible);
        waiting.remove(events.key(best));
        return best;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return sequence.below(alternatives);
    }

    @Override
    public String toString() {
        return "priorities of single events";
    }
}
