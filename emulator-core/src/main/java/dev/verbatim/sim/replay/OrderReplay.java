// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The canonical run, but for some constraints. With all that an {@link OrderRecord} wrote down it is the same run again. Where all that is
 * possible waits, the first goes on.
 */
public final class OrderReplay implements Choices {

    private final OccurrenceCounts occurrences = new OccurrenceCounts();
    private final Map<String, String> waits = new TreeMap<>();
    private final Set<String> rushes = new TreeSet<>();
    private final Map<String, Integer> alternatives = new TreeMap<>();

    /** The run with these constraints, which may be some of those that were written down. */
    public OrderReplay(List<OrderConstraint> constraints) {
        for (OrderConstraint constraint : constraints) {
            if (constraint instanceof OrderConstraint.Wait wait) {
                waits.put(wait.event(), wait.passedBy().get(wait.passedBy().size() - 1));
            } else if (constraint instanceof OrderConstraint.Rush rush) {
                rushes.add(rush.event());
            } else if (constraint instanceof OrderConstraint.Alternative alternative) {
                alternatives.put(alternative.number() + " " + alternative.point(), alternative.taken());
            }
        }
    }

    @Override
    public int chooseEvent(Candidates events) {
        int taken = -1;
        int rushed = -1;
        for (int i = 0; i < events.count(); i++) {
            String event = occurrences.name(events.key(i));
            String until = waits.get(event);
            if (taken < 0 && (until == null || occurrences.hasHappened(until))) {
                taken = i;
            }
            if (rushed < 0 && rushes.contains(event)) {
                rushed = i;
            }
        }
        taken = rushed >= 0 ? rushed : Math.max(0, taken);
        occurrences.happened(events.key(taken));
        return taken;
    }

    @Override
    public int choose(ChoicePoint point, int count) {
        return count == 1 ? 0 : Math.min(taken(point), count - 1);
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && taken(point) != 0;
    }

    private int taken(ChoicePoint point) {
        return alternatives.getOrDefault(occurrences.asked(point) + " " + point, 0);
    }

    @Override
    public String toString() {
        return "canonical choices but for " + waits + ", " + rushes + " and " + alternatives;
    }
}
