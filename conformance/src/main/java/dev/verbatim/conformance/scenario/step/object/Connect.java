// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.QpBringUp;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/** Brings a queue pair from RESET over INIT and RTR to RTS, as its connection says. The peer does so for itself. */
public record Connect(String qp, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<Connect> word() {
        StepWord<Connect> word = new StepWord<>("connect", Connect.class);
        Key<Connect, String> head =
                word.head(Forms.name("the name of a queue pair"), Connect::qp, "Brings it from RESET to RTS.");
        Key<Connect, ExpectedError> error = word.error(Connect::error);
        return word.making(values -> new Connect(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        if (scope.qp(qp) != null && scope.own().connection(qp) == null) {
            scope.problem("connect", "queue pair " + qp + " has no peer; name it in connections");
        }
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> QpBringUp.connect(context, qp));
    }
}
