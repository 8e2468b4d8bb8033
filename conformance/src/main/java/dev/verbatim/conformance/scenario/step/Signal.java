// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;

/** Signals all nodes, at once and not over the network under test. */
public record Signal(String signal) implements Step {

    /** How it is written. */
    public static StepWord<Signal> word() {
        return StepWord.ofHead(
                "tell",
                Signal.class,
                Forms.name("the name of a signal"),
                Signal::signal,
                "Signals all nodes; no packet is sent.",
                Signal::new);
    }

    @Override
    public void check(NameScope scope) {
        scope.tells(signal);
    }

    @Override
    public void run(StepContext context) {
        context.run().set(signal);
    }
}
