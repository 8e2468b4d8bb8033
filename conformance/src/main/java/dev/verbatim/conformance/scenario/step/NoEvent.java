// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.AsyncEvent;

/** No asynchronous event waits at this moment. */
public record NoEvent() implements Step {

    static Mapping<NoEvent> word() {
        Mapping<NoEvent> mapping = new Mapping<>("no_event", "a no_event step");
        mapping.required("no_event", Forms.yes(), step -> true, "true: no event waits at this moment.");
        return mapping.making(values -> new NoEvent());
    }

    @Override
    public void run(Workbench bench) {
        AsyncEvent event = bench.inbox().peek();
        if (event != null) {
            bench.fail("there is an event: " + event.type()
                    + (event.refusal() == null ? "" : ", because " + event.refusal()));
        }
    }
}
