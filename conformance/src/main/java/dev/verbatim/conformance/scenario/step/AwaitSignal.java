// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;

/** Waits until some node has told a signal. */
public record AwaitSignal(String signal) implements Step {

    /** How it is written. */
    public static StepWord<AwaitSignal> word() {
        return StepWord.ofHead(
                "await",
                AwaitSignal.class,
                Forms.name("the name of a signal"),
                AwaitSignal::signal,
                "Waits until a node has executed tell with that name.",
                AwaitSignal::new);
    }

    @Override
    public void check(NameScope scope) {
        scope.awaits("await", signal);
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.run().isSet(signal);
    }

    @Override
    public boolean awaitsValue(StepContext context) {
        return true;
    }

    @Override
    public void run(StepContext context) {
        context.run().seen(signal);
    }
}
