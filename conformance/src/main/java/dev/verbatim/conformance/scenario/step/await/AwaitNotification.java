// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/**
 * Waits until the channel of a completion queue announces completions, and acknowledges that, unless it is left to a later
 * step.
 */
public record AwaitNotification(String cq, boolean acknowledged) implements Step {

    /** How it is written. */
    public static StepWord<AwaitNotification> word() {
        StepWord<AwaitNotification> word = new StepWord<>("notified", AwaitNotification.class);
        Key<AwaitNotification, String> head = word.head(
                Forms.name("the name of a completion queue"),
                AwaitNotification::cq,
                "Waits until its channel announces completions.");
        Key<AwaitNotification, Boolean> acknowledged = word.optional(
                "ack",
                Forms.flag(),
                true,
                AwaitNotification::acknowledged,
                "Whether it is acknowledged at once; if not, by a step ack.");
        return word.making(values -> new AwaitNotification(values.get(head), values.get(acknowledged)));
    }

    @Override
    public void check(NameScope scope) {
        if (scope.cq(cq) != null) {
            checkChannel(scope, "notified", cq);
        }
    }

    /** Reports under that key a completion queue that announces nothing. */
    static void checkChannel(NameScope scope, String key, String cq) {
        CqSpec spec = scope.own().cqs().get(cq);
        if (spec != null && !spec.channel()) {
            scope.problem(key, "completion queue " + cq + " has no channel; give it channel: true under cqs");
        }
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.node().events().isNotified(cq);
    }

    @Override
    public void run(StepContext context) {
        context.node().events().takeNotification(cq, acknowledged);
    }
}
