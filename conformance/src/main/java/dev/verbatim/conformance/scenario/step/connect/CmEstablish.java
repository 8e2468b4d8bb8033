// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/** After CONNECT_RESPONSE: brings the queue pair from INIT to RTS, and confirms the connection (rdma_establish). */
public record CmEstablish(String qp, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<CmEstablish> word() {
        StepWord<CmEstablish> word = new StepWord<>("cm_establish", CmEstablish.class);
        Key<CmEstablish, String> head = word.head(
                Forms.name("the name of a queue pair"),
                CmEstablish::qp,
                "After CONNECT_RESPONSE: brings it to RTS and confirms the connection.");
        Key<CmEstablish, ExpectedError> error = word.error(CmEstablish::error);
        return word.making(values -> new CmEstablish(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        CmBringUp.check(scope, "cm_establish", qp);
    }

    @Override
    public void run(StepContext context) {
        CmBringUp.with(
                context,
                qp,
                id -> context.verb(error, () -> {
                    CmBringUp.readyToSend(context, qp, id);
                    id.establish();
                }));
    }
}
