// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import org.jspecify.annotations.Nullable;

/**
 * Brings a queue pair from RESET over INIT and RTR to RTS, as its connection says. The peer does so for itself.
 *
 * @param qp name of the queue pair
 * @param error how it must fail; null if it must succeed
 */
public record Connect(String qp, @Nullable Refused error) implements Step {

    static Mapping<Connect> word() {
        Mapping<Connect> mapping = new Mapping<>("connect", "a connect step");
        Key<Connect, String> head = mapping.required(
                "connect", Forms.name("the name of a queue pair"), Connect::qp, "Brings it from RESET to RTS.");
        Key<Connect, Refused> error = mapping.perhaps("error", Refused.FORM, Connect::error, "How it must fail.");
        return mapping.making(values -> new Connect(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        if (scope.qp(qp) != null && scope.own().connection(qp) == null) {
            scope.problem("connect", "queue pair " + qp + " has no peer; name it in connections");
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> Wiring.connect(bench, qp));
    }
}
