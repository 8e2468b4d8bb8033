// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** Acknowledges all events and announcements that the node has taken and not acknowledged. */
public record Acknowledge() implements Step {

    /** How it is written. */
    public static StepWord<Acknowledge> word() {
        StepWord<Acknowledge> word = new StepWord<>("ack", Acknowledge.class);
        word.head(Forms.yes(), step -> true, "true: acknowledges what was taken with ack: false since the last time.");
        return word.making(values -> new Acknowledge());
    }

    @Override
    public void run(StepContext context) {
        if (context.node().events().acknowledgeAll() == 0) {
            context.fail("nothing waits for an acknowledgement; take an event or announcement with ack: false first");
        }
    }
}
