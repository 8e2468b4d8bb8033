// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Choices.Candidates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Choices that others make, written down as what waited for what. */
public final class OrderRecord implements Choices {

    private final Choices choices;
    private final OccurrenceCounts occurrences = new OccurrenceCounts();
    private final Map<String, List<String>> passedBy = new LinkedHashMap<>();
    private final List<String> happened = new ArrayList<>();
    private final List<OrderConstraint.Alternative> alternatives = new ArrayList<>();

    /** Writes down what {@code choices} decide. */
    public OrderRecord(Choices choices) {
        this.choices = choices;
    }

    @Override
    public int chooseEvent(Candidates events) {
        int taken = choices.chooseEvent(events);
        String event = occurrences.name(events.key(taken));
        for (int i = 0; i < taken; i++) {
            passedBy.computeIfAbsent(occurrences.name(events.key(i)), waiting -> new ArrayList<>())
                    .add(event);
        }
        occurrences.happened(events.key(taken));
        happened.add(event);
        return taken;
    }

    @Override
    public int choose(ChoicePoint point, int count) {
        return count == 1 ? 0 : add(point, choices.choose(point, count));
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && add(point, choices.chance(point, perMille) ? 1 : 0) == 1;
    }

    /** The last events before {@code event} could happen, or before it had to wait: the latest first. */
    public List<String> before(String event, int most) {
        List<String> passing = passedBy.getOrDefault(event, List.of(event));
        int end = happened.indexOf(passing.get(0));
        List<String> before = new ArrayList<>(happened.subList(Math.max(0, end - most), Math.max(0, end)));
        Collections.reverse(before);
        return before;
    }

    /** What happened while {@code event} waited, in order. */
    public List<String> passing(String event) {
        return List.copyOf(passedBy.getOrDefault(event, List.of()));
    }

    private int add(ChoicePoint point, int taken) {
        int number = occurrences.asked(point);
        if (taken != 0) {
            alternatives.add(new OrderConstraint.Alternative(point, number, taken));
        }
        return taken;
    }

    /** All in which the run differs from the canonical one; {@link OrderReplay} makes it again. */
    public List<OrderConstraint> constraints() {
        List<OrderConstraint> all = new ArrayList<>(alternatives);
        passedBy.forEach((event, passing) -> all.add(new OrderConstraint.Wait(event, passing)));
        return all;
    }

    @Override
    public String toString() {
        return "record of what waits for what in " + choices;
    }
}
