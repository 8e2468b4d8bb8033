// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.cm.CmId;
import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.util.Objects;
import java.util.function.Consumer;

/** Brings queue pairs up with what the connection manager agreed upon; what it does not agree upon, their connection says. */
final class CmBringUp {

    private CmBringUp() {}

    /** A queue pair that is connected by steps, and says whom with. */
    static void check(NameScope scope, String key, String qp) {
        if (scope.qp(qp) == null) {
            return;
        }
        ConnectionSpec connection = scope.own().connection(qp);
        if (connection == null || connection.connected()) {
            scope.problem(
                    key,
                    "queue pair " + qp + " has no connection to be made; name its peer in connections, with connected:"
                            + " false");
        }
    }

    /** RESET to INIT: receives can be posted. */
    static void init(StepContext context, String qp) {
        ConnectionSpec connection =
                Objects.requireNonNull(context.node().names().connection(qp), qp);
        context.node()
                .qp(qp)
                .modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNumber(1)
                        .accessFlags(connection.link().access()));
    }

    /** INIT over RTR to RTS. */
    static void readyToSend(StepContext context, String qp, CmId id) {
        context.node().qp(qp).modify(id.initQpAttributes(QpState.RTR));
        context.node().qp(qp).modify(id.initQpAttributes(QpState.RTS));
    }

    /** Does something with the identifier of the queue pair; without one the step fails. */
    static void with(StepContext context, String qp, Consumer<CmId> work) {
        CmId id = context.node().cmIds().of(qp);
        if (id == null) {
            context.fail("queue pair " + qp + " has no connection; put cm_connect or cm_accept before this step");
        } else {
            work.accept(id);
        }
    }
}
