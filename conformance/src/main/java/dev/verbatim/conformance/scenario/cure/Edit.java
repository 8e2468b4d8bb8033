// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import java.util.function.Consumer;

/**
 * One change of a scenario.
 *
 * @param what in words, such as {@code FENCE at nodes.a.program[1]}
 * @param cost how expensive it is at run time, roughly: 1 for a flag or a fence, 2 for a wait or a flush, 4 for a round trip
 * @param change changes a draft, whose steps have the places that they have in the scenario
 */
record Edit(String what, int cost, Consumer<ScenarioDraft> change) {

    static final int FLAG = 1;
    static final int WAIT = 2;
    static final int ROUND_TRIP = 4;

    @Override
    public String toString() {
        return what;
    }
}
