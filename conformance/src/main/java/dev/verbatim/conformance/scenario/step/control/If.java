// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.control;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import java.util.List;
import java.util.stream.Stream;

/** Some steps if a condition holds, and others if not. */
public record If(Condition condition, List<Step> then, List<Step> otherwise) implements Step {

    /** Copies the lists. */
    public If {
        then = List.copyOf(then);
        otherwise = List.copyOf(otherwise);
    }

    /** How it is written. */
    public static StepWord<If> word(Form<Step> steps) {
        StepWord<If> word = new StepWord<>("if", If.class);
        Key<If, Condition> head =
                word.head(Condition.FORM, If::condition, "Whether the steps of then are next, such as r == 1.");
        Key<If, List<Step>> then = word.required("then", Forms.listOf(steps), If::then, "Steps if it holds.");
        Key<If, List<Step>> otherwise =
                word.optional("else", Forms.listOf(steps), List.of(), If::otherwise, "Steps if it does not.");
        return word.making(values -> new If(values.get(head), values.get(then), values.get(otherwise)));
    }

    @Override
    public List<Step> inner() {
        return Stream.concat(then.stream(), otherwise.stream()).toList();
    }

    @Override
    public void check(NameScope scope) {
        condition.check(scope, "if");
        scope.each("then", then.size(), i -> then.get(i).check(scope));
        scope.each("else", otherwise.size(), i -> otherwise.get(i).check(scope));
    }

    /** The program takes the steps inside instead. */
    @Override
    public void run(StepContext context) {
        throw new IllegalStateException("if is no step of its own");
    }
}
