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

/** The program reads a word of its node's memory again and again until it has a value. */
public record Until(Place at, Long value, boolean acquires) implements Step {

    /** How it is written. */
    public static StepWord<Until> word() {
        StepWord<Until> word = new StepWord<>("until", Until.class);
        Key<Until, Until> head = word.head(
                new PairForm<>(
                        Place.WORD, Forms.word(), (at, value) -> new Until(at, value, false), Until::at, Until::value),
                until -> until,
                "Own place: value. The CPU, or the GPU whose kernel it is, reads it until it has that value.");
        Key<Until, Boolean> acquires =
                word.optional("acquire", Forms.flag(), false, Until::acquires, Load.ACQUIRE_HELP);
        return word.making(
                values -> new Until(values.get(head).at(), values.get(head).value(), values.get(acquires)));
    }

    @Override
    public boolean waitsForStores() {
        return false;
    }

    @Override
    public void check(NameScope scope) {
        scope.cpu("until", at);
        scope.fits("until", at, value, false);
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.maySee(at, value);
    }

    @Override
    public boolean awaitsValue(StepContext context) {
        return context.seesMemory();
    }

    @Override
    public void run(StepContext context) {
        context.loadAwaited(at, value);
        context.acquire(acquires);
    }
}
