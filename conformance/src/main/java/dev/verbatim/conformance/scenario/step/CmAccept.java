// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the request that was fetched last (rdma_accept). The queue pair goes from RESET to RTS before the peer is told.
 *
 * @param qp name of the queue pair that gets the connection
 * @param error how it must fail; null if it must succeed
 */
public record CmAccept(String qp, @Nullable Refused error) implements Step {

    /** How it is written. */
    public static StepWord<CmAccept> word() {
        StepWord<CmAccept> word = new StepWord<>("cm_accept", CmAccept.class);
        Key<CmAccept, String> head = word.head(
                Forms.name("the name of a queue pair"),
                CmAccept::qp,
                "Accepts the request that was fetched last, for this queue pair.");
        Key<CmAccept, Refused> error = word.error(CmAccept::error);
        return word.making(values -> new CmAccept(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        CmWiring.check(scope, "cm_accept", qp);
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
            CmWiring.init(context, qp);
            CmWiring.readyToSend(context, qp, id);
            id.accept(ConnectionParameters.USUAL.qpNumber(context.node().qp(qp).number()));
            context.node().cmIds().answered(id, qp);
        });
    }
}
