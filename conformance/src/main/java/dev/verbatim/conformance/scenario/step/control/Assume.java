// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** A run in which the condition does not hold is not looked at: the program ends here, and how the run ends counts for nothing. */
public record Assume(Condition condition) implements Step {

    /** How it is written. */
    public static StepWord<Assume> word() {
        StepWord<Assume> word = new StepWord<>("assume", Assume.class);
        Key<Assume, Condition> head = word.head(
                Condition.FORM,
                Assume::condition,
                "Runs in which this does not hold count for nothing, such as r == 1.");
        return word.making(values -> new Assume(values.get(head)));
    }

    @Override
    public boolean waitsForStores() {
        return false;
    }

    @Override
    public void check(NameScope scope) {
        condition.check(scope, "assume");
    }

    @Override
    public void run(StepContext context) {
        if (!condition.holds(context)) {
            context.discard();
        }
    }
}
