// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.PairForm;

/**
 * The CPU of the node reads a word of its own memory again and again until it has a value.
 *
 * @param at 1, 2, 4 or 8 bytes
 * @param value what it must be
 */
public record Until(Place at, Long value) implements Step {

    static Mapping<Until> word() {
        Mapping<Until> mapping = new Mapping<>("until", "an until step");
        Key<Until, Until> head = mapping.required(
                "until",
                new PairForm<>(Place.WORD, Forms.word(), Until::new, Until::at, Until::value),
                until -> until,
                "Own place: value. The CPU reads it until it has that value.");
        return mapping.making(values -> values.get(head));
    }

    @Override
    public void check(Scope scope) {
        scope.cpu("until", at);
        scope.fits("until", at, value, false);
    }

    @Override
    public boolean isReady(Workbench bench) {
        return bench.lands().look(at) == value;
    }

    @Override
    public void run(Workbench bench) {
        bench.lands().load(at);
    }
}
