// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * No completion is in a queue at this moment.
 *
 * @param cq completion queue; null for the only one
 */
public record NoCompletion(@Nullable String cq) implements Step {

    static Mapping<NoCompletion> word() {
        Mapping<NoCompletion> mapping = new Mapping<>("no_completion", "a no_completion step");
        mapping.required("no_completion", Forms.yes(), step -> true, "true: the queue is empty at this moment.");
        Key<NoCompletion, String> cq = mapping.perhaps(
                "cq",
                Forms.name("the name of a completion queue"),
                NoCompletion::cq,
                "Completion queue, if there are several.");
        return mapping.making(values -> new NoCompletion(values.orNull(cq)));
    }

    @Override
    public void check(Scope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(Workbench bench) {
        WorkCompletion completion = bench.peek(bench.cqName(cq));
        if (completion != null) {
            bench.fail("there is a completion: " + completion);
        }
    }
}
