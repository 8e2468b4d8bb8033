// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How many steps did something, and how often each outcome was expected, and came. */
public final class Tally {

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private int steps;

    /** One more step. */
    public void step() {
        steps++;
    }

    /** One more such outcome: a status or errno, and the rule by which it came. */
    public void outcome(Object what, String rule) {
        outcomes.merge(what + " " + rule, 1, Integer::sum);
    }

    /** How many steps. */
    public int steps() {
        return steps;
    }

    /** How often which outcome. */
    public Map<String, Integer> outcomes() {
        return outcomes;
    }

    /** The rules by which there were outcomes. */
    public Set<String> rules() {
        return outcomes.keySet().stream()
                .map(outcome -> outcome.substring(outcome.lastIndexOf(' ') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
