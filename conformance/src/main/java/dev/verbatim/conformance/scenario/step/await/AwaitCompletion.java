// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits for the next completion of a queue. */
public record AwaitCompletion(
        WantedCompletion wanted, @Nullable String cq, Map<CompletionField, String> into) implements Step {

    /** Copies the map. */
    public AwaitCompletion {
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<AwaitCompletion> word() {
        StepWord<AwaitCompletion> word = new StepWord<>("completion", AwaitCompletion.class);
        Key<AwaitCompletion, WantedCompletion> head =
                word.head(WantedCompletion.FORM, AwaitCompletion::wanted, "Waits for the next completion.");
        Key<AwaitCompletion, String> cq = word.cq(AwaitCompletion::cq);
        Key<AwaitCompletion, Map<CompletionField, String>> into = word.optional(
                "into",
                CompletionField.into(),
                Map.of(),
                AwaitCompletion::into,
                "Register for the status, or registers for several fields.");
        return word.making(values -> new AwaitCompletion(values.get(head), values.orNull(cq), values.get(into)));
    }

    @Override
    public void check(NameScope scope) {
        scope.cq(cq);
        if (wanted.qp() != null) {
            scope.qp(wanted.qp());
        }
        if (wanted.invalidated() != null) {
            scope.key("completion", wanted.invalidated());
        }
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.node().completions().peek(context.node().cqName(cq)) != null;
    }

    @Override
    public void run(StepContext context) {
        WorkCompletion completion =
                context.node().completions().take(context.node().cqName(cq));
        String difference = wanted.differenceTo(completion, context);
        if (difference != null) {
            context.fail(difference + ". The completion is " + completion);
        }
        into.forEach(
                (field, register) -> context.node().registers().put(register, field.of(completion, context.node())));
    }
}
