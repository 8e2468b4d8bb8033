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

/**
 * Steps again and again, as long as a condition holds.
 *
 * @param most how often at most; a run that would go on counts for nothing
 */
public record While(Condition condition, List<Step> body, int most) implements Step {

    private static final int MOST_ROUNDS = 64;

    /** Copies the list. */
    public While {
        body = List.copyOf(body);
        if (body.isEmpty()) {
            throw new IllegalArgumentException(
                    "the do of a while has no steps, so its condition never changes; add one");
        }
    }

    /** How it is written. */
    public static StepWord<While> word(Form<Step> steps) {
        StepWord<While> word = new StepWord<>("while", While.class);
        Key<While, Condition> head =
                word.head(Condition.FORM, While::condition, "Whether the steps of do are next, such as r != 1.");
        Key<While, List<Step>> body = word.required("do", Forms.listOf(steps), While::body, "Steps of one round.");
        Key<While, Integer> most = word.required(
                "most",
                Forms.integer(1, MOST_ROUNDS),
                While::most,
                "Most rounds; runs that would go on count for nothing.");
        return word.making(values -> new While(values.get(head), values.get(body), values.get(most)));
    }

    @Override
    public List<Step> inner() {
        return body;
    }

    @Override
    public void check(NameScope scope) {
        condition.check(scope, "while");
        scope.each("do", body.size(), i -> body.get(i).check(scope));
    }

    /** The program takes the steps inside instead. */
    @Override
    public void run(StepContext context) {
        throw new IllegalStateException("while is no step of its own");
    }
}
