// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** The power of the node fails: its program and its device end, and its memory holds what is durable. */
public record PowerFail() implements Step {

    /** How it is written. */
    public static StepWord<PowerFail> word() {
        StepWord<PowerFail> word = new StepWord<>("power_fail", PowerFail.class);
        word.head(
                Forms.yes(),
                step -> true,
                "true: the power of the node fails; persistent memory keeps what is durable.");
        return word.making(values -> new PowerFail());
    }

    @Override
    public boolean needsFaults() {
        return true;
    }

    @Override
    public void run(StepContext context) {
        context.run().environment().powerFails(context.node().name());
        context.node().pendingSends().forgetAll();
    }
}
