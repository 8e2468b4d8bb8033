// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.PairForm;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** The CPU of the node reads a word of its own memory into a register. */
public record Load(Place from, String into) implements Step {

    /** How it is written. */
    public static StepWord<Load> word() {
        StepWord<Load> word = new StepWord<>("load", Load.class);
        Key<Load, Load> head = word.head(
                new PairForm<>(Place.WORD, Forms.name("the name of a register"), Load::new, Load::from, Load::into),
                load -> load,
                "Own place: register. The CPU reads it.");
        return word.making(values -> values.get(head));
    }

    @Override
    public void check(NameScope scope) {
        scope.cpu("load", from);
        scope.sets("load", into);
    }

    @Override
    public void run(StepContext context) {
        context.node()
                .registers()
                .put(into, String.valueOf(context.node().memory().load(from)));
    }
}
