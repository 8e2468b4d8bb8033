// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Mapping;

/** Acknowledges all events and announcements that the node has taken and not acknowledged. */
public record Acknowledge() implements Step {

    static Mapping<Acknowledge> word() {
        Mapping<Acknowledge> mapping = new Mapping<>("ack", "an ack step");
        mapping.required(
                "ack",
                Forms.yes(),
                step -> true,
                "true: acknowledges what was taken with ack: false since the last time.");
        return mapping.making(values -> new Acknowledge());
    }

    @Override
    public void run(Workbench bench) {
        if (bench.acknowledgeAll() == 0) {
            bench.fail("nothing waits for an acknowledgement; take an event or announcement with ack: false first");
        }
    }
}
