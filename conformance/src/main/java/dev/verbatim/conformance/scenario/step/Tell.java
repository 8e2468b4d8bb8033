// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;

/**
 * Tells all nodes something, at once and not over the network under test.
 *
 * @param signal what
 */
public record Tell(String signal) implements Step {

    static Mapping<Tell> word() {
        Mapping<Tell> mapping = new Mapping<>("tell", "a tell step");
        Key<Tell, String> head = mapping.required(
                "tell", Forms.name("the name of a signal"), Tell::signal, "Tells all nodes, past the network.");
        return mapping.making(values -> new Tell(values.get(head)));
    }

    @Override
    public void check(Scope scope) {
        scope.tells(signal);
    }

    @Override
    public void run(Workbench bench) {
        bench.board().tell(signal);
    }
}
