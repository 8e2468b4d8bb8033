// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** No completion is in a queue at this moment. */
public record NoCompletion(@Nullable String cq) implements Step {

    /** How it is written. */
    public static StepWord<NoCompletion> word() {
        StepWord<NoCompletion> word = new StepWord<>("no_completion", NoCompletion.class);
        word.head(Forms.yes(), step -> true, "true: the queue is empty at this moment.");
        Key<NoCompletion, String> cq = word.cq(NoCompletion::cq);
        return word.making(values -> new NoCompletion(values.orNull(cq)));
    }

    @Override
    public void check(NameScope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(StepContext context) {
        WorkCompletion completion =
                context.node().completions().peek(context.node().cqName(cq));
        if (completion != null) {
            context.fail("there is a completion: " + completion);
        }
    }
}
