// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.cm.CmId;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import org.jspecify.annotations.Nullable;

/** Refuses the request that was fetched last (rdma_reject). */
public record CmReject(@Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<CmReject> word() {
        StepWord<CmReject> word = new StepWord<>("cm_reject", CmReject.class);
        word.head(Forms.yes(), step -> true, "Refuses the request that was fetched last.");
        Key<CmReject, ExpectedError> error = word.error(CmReject::error);
        return word.making(values -> new CmReject(values.orNull(error)));
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
            id.reject();
            context.node().cmIds().answered(id, null);
        });
    }
}
