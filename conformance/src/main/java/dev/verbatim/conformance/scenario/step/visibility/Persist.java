// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.MemorySystem;

/** The CPU writes a place of persistent memory back from its caches. */
public record Persist(Place place) implements Step {

    /** How it is written. */
    public static StepWord<Persist> word() {
        StepWord<Persist> word = new StepWord<>("persist", Persist.class);
        Key<Persist, Place> head = word.head(
                Place.WORD,
                Persist::place,
                "Own place. The CPU writes it back from its caches: what arrived is durable.");
        return word.making(values -> new Persist(values.get(head)));
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
