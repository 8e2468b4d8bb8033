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

/** The program reads a word of its node's memory into a register: the CPU's, or that of a GPU, whose load may be an acquire. */
public record Load(Place from, String into, boolean acquires) implements Step {

    static final String ACQUIRE_HELP = "Whether it is an acquire of system scope, by a kernel.";

    /** How it is written. */
    public static StepWord<Load> word() {
        StepWord<Load> word = new StepWord<>("load", Load.class);
        Key<Load, Load> head = word.head(
                new PairForm<>(
                        Place.WORD,
                        Forms.name("the name of a register"),
                        (from, into) -> new Load(from, into, false),
                        Load::from,
                        Load::into),
                load -> load,
                "Own place: register. The CPU reads it, or the GPU whose kernel it is.");
        Key<Load, Boolean> acquires = word.optional("acquire", Forms.flag(), false, Load::acquires, ACQUIRE_HELP);
        return word.making(
                values -> new Load(values.get(head).from(), values.get(head).into(), values.get(acquires)));
    }

    @Override
    public boolean waitsForStores() {
        return false;
    }

    @Override
    public void check(NameScope scope) {
        scope.cpu("load", from);
        scope.sets("load", into);
    }

    @Override
    public void run(StepContext context) {
        context.acquire(acquires);
        context.node().registers().put(into, String.valueOf(context.load(from)));
    }
}
