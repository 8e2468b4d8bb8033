// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the request that was fetched last (rdma_accept). The queue pair goes from RESET to RTS before the peer is told.
 */
public record CmAccept(String qp, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<CmAccept> word() {
        StepWord<CmAccept> word = new StepWord<>("cm_accept", CmAccept.class);
        Key<CmAccept, String> head = word.head(
                Forms.name("the name of a queue pair"),
                CmAccept::qp,
                "Accepts the request that was fetched last, for this queue pair.");
        Key<CmAccept, ExpectedError> error = word.error(CmAccept::error);
        return word.making(values -> new CmAccept(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        CmBringUp.check(scope, "cm_accept", qp);
    }

    @Override
    public void run(StepContext context) {
        CmId id = context.node().cmIds().requested();
        if (id == null) {
            context.fail(
                    "no request for a connection has been fetched; put cm_event: CONNECT_REQUEST before this step");
            return;
        }
        context.verb(error, () -> {
            CmBringUp.init(context, qp);
            CmBringUp.readyToSend(context, qp, id);
            id.accept(ConnectionParameters.USUAL.withQpNumber(
                    context.node().qp(qp).number()));
            context.node().cmIds().answered(id, qp);
        });
    }
}
