// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for another number of completions.
 *
 * @param cq name of the completion queue
 * @param entries how many
 * @param error how it must fail; null if it must succeed
 */
public record ResizeCq(String cq, int entries, @Nullable Refused error) implements Step {

    static Mapping<ResizeCq> word() {
        Mapping<ResizeCq> mapping = new Mapping<>("resize_cq", "a resize_cq step");
        Key<ResizeCq, String> head = mapping.required(
                "resize_cq", Forms.name("the name of a completion queue"), ResizeCq::cq, "The completion queue.");
        Key<ResizeCq, Integer> entries = mapping.required(
                "entries",
                Forms.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                ResizeCq::entries,
                "Room for so many completions; illegal numbers can be said.");
        Key<ResizeCq, Refused> error = mapping.perhaps("error", Refused.FORM, ResizeCq::error, "How it must fail.");
        return mapping.making(values -> new ResizeCq(values.get(head), values.get(entries), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> bench.cq(cq).resize(entries));
    }
}
