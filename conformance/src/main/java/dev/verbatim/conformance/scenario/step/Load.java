// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.PairForm;

/**
 * The CPU of the node reads a word of its own memory into a register.
 *
 * @param from 1, 2, 4 or 8 bytes
 * @param into name of the register
 */
public record Load(Place from, String into) implements Step {

    static Mapping<Load> word() {
        Mapping<Load> mapping = new Mapping<>("load", "a load step");
        Key<Load, Load> head = mapping.required(
                "load",
                new PairForm<>(Place.WORD, Forms.name("the name of a register"), Load::new, Load::from, Load::into),
                load -> load,
                "Own place: register. The CPU reads it.");
        return mapping.making(values -> values.get(head));
    }

    @Override
    public void check(Scope scope) {
        scope.cpu("load", from);
        scope.sets("load", into);
    }

    @Override
    public void run(Workbench bench) {
        bench.registers().put(into, String.valueOf(bench.lands().load(from)));
    }
}
