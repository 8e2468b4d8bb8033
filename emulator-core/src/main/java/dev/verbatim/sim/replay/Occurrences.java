// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoicePoint;
import java.util.HashMap;
import java.util.Map;

/** Counts what happened, since the steps of a program, and other events, have the same key. */
final class Occurrences {

    private final Map<String, Integer> happened = new HashMap<>();
    private final int[] asked = new int[ChoicePoint.values().length];

    /** The event with that key that is possible now. */
    String name(String key) {
        return happened.getOrDefault(key, 0) + " " + key;
    }

    void happened(String key) {
        happened.merge(key, 1, Integer::sum);
    }

    /** Whether an event of that name has happened. */
    boolean hasHappened(String name) {
        int end = name.indexOf(' ');
        return happened.getOrDefault(name.substring(end + 1), 0) > Integer.parseInt(name.substring(0, end));
    }

    /** How often the point was asked before. */
    int asked(ChoicePoint point) {
        return asked[point.ordinal()]++;
    }
}
