// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;

/** Signals all nodes, at once and not over the network under test. */
public record Signal(String signal) implements Step {

    /** How it is written. */
    public static StepWord<Signal> word() {
        StepWord<Signal> word = new StepWord<>("tell", Signal.class);
        Key<Signal, String> head =
                word.head(Forms.name("the name of a signal"), Signal::signal, "Signals all nodes; no packet is sent.");
        return word.making(values -> new Signal(values.get(head)));
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
