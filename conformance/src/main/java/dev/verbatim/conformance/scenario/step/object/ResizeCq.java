// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/** Makes room for another number of completions. */
public record ResizeCq(String cq, int entries, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<ResizeCq> word() {
        StepWord<ResizeCq> word = new StepWord<>("resize_cq", ResizeCq.class);
        Key<ResizeCq, String> head =
                word.head(Forms.name("the name of a completion queue"), ResizeCq::cq, "The completion queue.");
        Key<ResizeCq, Integer> entries = word.required(
                "entries",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ResizeCq::entries,
                "Room for so many completions; illegal numbers can be said.");
        Key<ResizeCq, ExpectedError> error = word.error(ResizeCq::error);
        return word.making(values -> new ResizeCq(values.get(head), values.get(entries), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> context.node().cq(cq).resize(entries));
    }
}
