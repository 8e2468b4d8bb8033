// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.AsyncEvent;

/** No asynchronous event waits at this moment. */
public record NoEvent() implements Step {

    /** How it is written. */
    public static StepWord<NoEvent> word() {
        StepWord<NoEvent> word = new StepWord<>("no_event", NoEvent.class);
        word.head(Forms.yes(), step -> true, "true: no event waits at this moment.");
        return word.making(values -> new NoEvent());
    }

    @Override
    public void run(StepContext context) {
        AsyncEvent event = context.node().events().peek();
        if (event != null) {
            context.fail("there is an event: " + event.type()
                    + (event.refusal() == null ? "" : ", because " + event.refusal()));
        }
    }
}
