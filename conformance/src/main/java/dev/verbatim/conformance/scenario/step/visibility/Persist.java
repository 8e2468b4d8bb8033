// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.MemorySystem;

/** The CPU writes a place of persistent memory back from its caches. */
public record Persist(Place place) implements Step {

    /** How it is written. */
    public static StepWord<Persist> word() {
        return StepWord.ofHead(
                "persist",
                Persist.class,
                Place.WORD,
                Persist::place,
                "Own place. The CPU writes it back from its caches: what arrived is durable.",
                Persist::new);
    }

    @Override
    public void check(NameScope scope) {
        scope.cpu("persist", place);
        scope.persistent("persist", place);
    }

    @Override
    public void run(StepContext context) {
        MemorySystem system = context.node().memory().system();
        if (system != null) {
            system.persist(
                    context.node().memory().memoryAddress(place),
                    context.node().names().lengthOf(place));
        }
    }
}
