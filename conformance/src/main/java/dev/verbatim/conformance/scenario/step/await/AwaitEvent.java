// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the next asynchronous event of the node's device, and acknowledges it, unless that is left to a later step. COMM_EST, whose time no rule fixes
 * (N11), is passed over unless it is what is awaited.
 */
public record AwaitEvent(
        Optional<EventType> type,
        WantedEventElement about,
        @Nullable String into,
        boolean acknowledged) implements Step {

    /** How it is written. */
    public static StepWord<AwaitEvent> word() {
        Map<String, Optional<EventType>> words = new LinkedHashMap<>();
        words.put("any", Optional.empty());
        for (EventType each : EventType.values()) {
            words.put(each.name(), Optional.of(each));
        }
        Form<Optional<EventType>> form = Forms.oneOf("a type of asynchronous event, or any", words);
        StepWord<AwaitEvent> word = new StepWord<>("event", AwaitEvent.class);
        Key<AwaitEvent, Optional<EventType>> head =
                word.head(form, AwaitEvent::type, "Waits for the next asynchronous event.");
        WantedEventElement.Keys<AwaitEvent> about = WantedEventElement.keys(word.mapping(), AwaitEvent::about);
        Key<AwaitEvent, String> into =
                word.perhaps("into", Forms.name("the name of a register"), AwaitEvent::into, "Register for its type.");
        Key<AwaitEvent, Boolean> acknowledged = word.optional(
                "ack",
                Forms.flag(),
                true,
                AwaitEvent::acknowledged,
                "Whether it is acknowledged at once; if not, by a step ack.");
        return word.making(values ->
                new AwaitEvent(values.get(head), about.read(values), values.orNull(into), values.get(acknowledged)));
    }

    @Override
    public void check(NameScope scope) {
        about.check(scope);
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public boolean isReady(StepContext context) {
        AsyncEvent event = context.node().events().peek();
        boolean passedOver = event != null
                && event.type() == EventType.COMM_EST
                && type.filter(EventType.COMM_EST::equals).isEmpty();
        if (passedOver) {
            context.node().events().take(true);
            return isReady(context);
        }
        return event != null;
    }

    @Override
    public void run(StepContext context) {
        AsyncEvent event = context.node().events().peek();
        if (event == null) {
            throw new IllegalStateException("no event is there; ask isReady first");
        }
        if (type.isPresent() && type.get() != event.type()) {
            context.fail("event=" + event.type() + ", not " + type.get() + why(event));
        }
        String difference = about.differenceTo(event, context.node());
        if (difference != null) {
            context.fail(difference + why(event));
        }
        if (into != null) {
            context.node().registers().put(into, event.type().name());
        }
        context.node().events().take(acknowledged);
    }

    private static String why(AsyncEvent event) {
        return event.refusal() == null ? "" : ". It came because " + event.refusal();
    }
}
