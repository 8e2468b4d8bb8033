// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.PairForm;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** The program computes a register. */
public record SetRegister(String register, Expression value) implements Step {

    /** How it is written. */
    public static StepWord<SetRegister> word() {
        StepWord<SetRegister> word = new StepWord<>("set", SetRegister.class);
        Key<SetRegister, SetRegister> head = word.head(
                new PairForm<>(
                        Forms.name("the name of a register"),
                        Expression.FORM,
                        SetRegister::new,
                        SetRegister::register,
                        SetRegister::value),
                set -> set,
                "Register: a number, another register, or two with + - * & | ^ << or >> between.");
        return word.making(values -> values.get(head));
    }

    @Override
    public boolean waitsForStores() {
        return false;
    }

    @Override
    public void check(NameScope scope) {
        value.check(scope, "set");
        scope.sets("set", register);
    }

    @Override
    public void run(StepContext context) {
        String computed = value.value(context);
        if (computed != null) {
            context.node().registers().put(register, computed);
        }
    }
}
