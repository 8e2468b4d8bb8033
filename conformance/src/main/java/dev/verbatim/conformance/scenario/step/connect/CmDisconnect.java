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
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import org.jspecify.annotations.Nullable;

/**
 * Ends the connection of a queue pair, or answers the peer who ended it (rdma_disconnect). The queue pair goes to ERR first.
 */
public record CmDisconnect(String qp, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<CmDisconnect> word() {
        StepWord<CmDisconnect> word = new StepWord<>("cm_disconnect", CmDisconnect.class);
        Key<CmDisconnect, String> head = word.head(
                Forms.name("the name of a queue pair"),
                CmDisconnect::qp,
                "Takes it to ERR and ends its connection, or answers the peer who ended it.");
        Key<CmDisconnect, ExpectedError> error = word.error(CmDisconnect::error);
        return word.making(values -> new CmDisconnect(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        CmBringUp.check(scope, "cm_disconnect", qp);
    }

    @Override
    public void run(StepContext context) {
        CmBringUp.with(
                context,
                qp,
                id -> context.verb(error, () -> {
                    context.node().qp(qp).modify(new QpAttributes().state(QpState.ERR));
                    id.disconnect();
                }));
    }
}
