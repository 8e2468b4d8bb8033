// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the next completion of a queue.
 *
 * @param wanted what it must be
 * @param cq completion queue; null for the only one
 * @param into registers for fields of the completion, by the words of {@link CompletionField}
 */
public record AwaitCompletion(
        WantedCompletion wanted, @Nullable String cq, Map<CompletionField, String> into) implements Step {

    /** Copies the map. */
    public AwaitCompletion {
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** Waits for a completion of the only queue. */
    public static AwaitCompletion of(WantedCompletion wanted) {
        return new AwaitCompletion(wanted, null, Map.of());
    }

    static Mapping<AwaitCompletion> word() {
        Mapping<AwaitCompletion> mapping = new Mapping<>("completion", "a completion step");
        Key<AwaitCompletion, WantedCompletion> head = mapping.required(
                "completion", WantedCompletion.FORM, AwaitCompletion::wanted, "Waits for the next completion.");
        Key<AwaitCompletion, String> cq = mapping.perhaps(
                "cq",
                Forms.name("the name of a completion queue"),
                AwaitCompletion::cq,
                "Completion queue, if there are several.");
        Key<AwaitCompletion, Map<CompletionField, String>> into = mapping.optional(
                "into",
                CompletionField.into(),
                Map.of(),
                AwaitCompletion::into,
                "Register for the status, or registers for several fields.");
        return mapping.making(values -> new AwaitCompletion(values.get(head), values.orNull(cq), values.get(into)));
    }

    @Override
    public void check(Scope scope) {
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
    public boolean isReady(Workbench bench) {
        return bench.peek(bench.cqName(cq)) != null;
    }

    @Override
    public void run(Workbench bench) {
        WorkCompletion completion = bench.take(bench.cqName(cq));
        String difference = wanted.differenceTo(completion, bench);
        if (difference != null) {
            bench.fail(difference + ". The completion is " + completion);
        }
        into.forEach((field, register) -> bench.registers().put(register, field.of(completion, bench)));
    }
}
