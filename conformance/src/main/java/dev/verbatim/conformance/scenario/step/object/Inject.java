// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.EventType;
import org.jspecify.annotations.Nullable;

/** Lets an asynchronous event of the node's device happen, which traffic does not cause: its port goes down, or the device fails. */
public record Inject(EventType type, int port, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<Inject> word() {
        StepWord<Inject> word = new StepWord<>("inject", Inject.class);
        Key<Inject, EventType> head = word.head(
                Forms.constant("a type of asynchronous event", EventType.class),
                Inject::type,
                "Lets an event of a port, or DEVICE_FATAL, happen; a port passes nothing from PORT_ERR to PORT_ACTIVE.");
        Key<Inject, Integer> port =
                word.optional("port_num", Forms.integer(0, 255), 1, Inject::port, "Port of the event, from 1.");
        Key<Inject, ExpectedError> error = word.error(Inject::error);
        return word.making(values -> new Inject(values.get(head), values.get(port), values.orNull(error)));
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> context.node().device().inject(type, port));
    }
}
