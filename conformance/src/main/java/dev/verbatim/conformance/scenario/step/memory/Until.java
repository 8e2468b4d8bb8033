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

/** The CPU of the node reads a word of its own memory again and again until it has a value. */
public record Until(Place at, Long value) implements Step {

    /** How it is written. */
    public static StepWord<Until> word() {
        StepWord<Until> word = new StepWord<>("until", Until.class);
        Key<Until, Until> head = word.head(
                new PairForm<>(Place.WORD, Forms.word(), Until::new, Until::at, Until::value),
                until -> until,
                "Own place: value. The CPU reads it until it has that value.");
        return word.making(values -> values.get(head));
    }

    @Override
    public void check(NameScope scope) {
        scope.cpu("until", at);
        scope.fits("until", at, value, false);
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.node().memory().look(at) == value;
    }

    @Override
    public void run(StepContext context) {
        context.node().memory().loadAwaited(at);
    }
}
