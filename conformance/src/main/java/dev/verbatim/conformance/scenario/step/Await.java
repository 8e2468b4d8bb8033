// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;

/**
 * Waits until some node has told a signal.
 *
 * @param signal which
 */
public record Await(String signal) implements Step {

    static Mapping<Await> word() {
        Mapping<Await> mapping = new Mapping<>("await", "an await step");
        Key<Await, String> head = mapping.required(
                "await", Forms.name("the name of a signal"), Await::signal, "Waits until some node tells it.");
        return mapping.making(values -> new Await(values.get(head)));
    }

    @Override
    public void check(Scope scope) {
        scope.awaits("await", signal);
    }

    @Override
    public boolean isReady(Workbench bench) {
        return bench.board().isTold(signal);
    }

    @Override
    public void run(Workbench bench) {
        bench.board().heard(signal);
    }
}
