// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/** Asks a completion queue for one announcement on its channel. */
public record Arm(
        String cq, boolean solicitedOnly, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<Arm> word() {
        StepWord<Arm> word = new StepWord<>("arm", Arm.class);
        Key<Arm, String> head =
                word.head(Forms.name("the name of a completion queue"), Arm::cq, "Asks for one announcement.");
        Key<Arm, Boolean> solicited = word.optional(
                "solicited_only",
                Forms.flag(),
                false,
                Arm::solicitedOnly,
                "Whether only solicited receives and failures are announced.");
        Key<Arm, ExpectedError> error = word.error(Arm::error);
        return word.making(values -> new Arm(values.get(head), values.get(solicited), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.cq(cq);
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> context.node().cq(cq).requestNotify(solicitedOnly));
    }
}
