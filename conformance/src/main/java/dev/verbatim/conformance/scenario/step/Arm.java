// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import org.jspecify.annotations.Nullable;

/**
 * Asks a completion queue for one announcement on its channel.
 *
 * @param cq name of the completion queue
 * @param solicitedOnly whether only solicited receives and failures are announced
 * @param error how it must fail; null if it must succeed
 */
public record Arm(
        String cq, boolean solicitedOnly, @Nullable Refused error) implements Step {

    static Mapping<Arm> word() {
        Mapping<Arm> mapping = new Mapping<>("arm", "an arm step");
        Key<Arm, String> head = mapping.required(
                "arm", Forms.name("the name of a completion queue"), Arm::cq, "Asks for one announcement.");
        Key<Arm, Boolean> solicited = mapping.optional(
                "solicited_only",
                Forms.flag(),
                false,
                Arm::solicitedOnly,
                "Whether only solicited receives and failures are announced.");
        Key<Arm, Refused> error = mapping.perhaps("error", Refused.FORM, Arm::error, "How it must fail.");
        return mapping.making(values -> new Arm(values.get(head), values.get(solicited), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> bench.cq(cq).requestNotify(solicitedOnly));
    }
}
