// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the next event of the node's connections, fetches and acknowledges it (rdma_get_cm_event, rdma_ack_cm_event).
 */
public record AwaitCmEvent(
        Optional<CmEventType> type, @Nullable String into) implements Step {

    /** How it is written. */
    public static StepWord<AwaitCmEvent> word() {
        Map<String, Optional<CmEventType>> words = new LinkedHashMap<>();
        words.put("any", Optional.empty());
        for (CmEventType each : CmEventType.values()) {
            words.put(each.name(), Optional.of(each));
        }
        Form<Optional<CmEventType>> form = Forms.oneOf("a type of connection event, or any", words);
        StepWord<AwaitCmEvent> word = new StepWord<>("cm_event", AwaitCmEvent.class);
        Key<AwaitCmEvent, Optional<CmEventType>> head =
                word.head(form, AwaitCmEvent::type, "Waits for the next event of connections.");
        Key<AwaitCmEvent, String> into = word.perhaps(
                "into", Forms.name("the name of a register"), AwaitCmEvent::into, "Register for its type.");
        return word.making(values -> new AwaitCmEvent(values.get(head), values.orNull(into)));
    }

    @Override
    public void check(NameScope scope) {
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.node().cmIds().hasEvent();
    }

    @Override
    public void run(StepContext context) {
        CmEvent event = context.node().cmIds().fetch();
        if (type.isPresent() && type.get() != event.type()) {
            context.fail("cm_event=" + event.type() + ", not " + type.get() + ". " + event.explanation());
        }
        if (into != null) {
            context.node().registers().put(into, event.type().name());
        }
    }
}
