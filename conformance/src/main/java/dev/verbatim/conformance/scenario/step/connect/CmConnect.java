// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.connect;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks the peer of a queue pair for the connection (rdma_connect). The queue pair goes to INIT; the answer is an event.
 */
public record CmConnect(String qp, int port, @Nullable ExpectedError error) implements Step {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How it is written. */
    public static StepWord<CmConnect> word() {
        StepWord<CmConnect> word = new StepWord<>("cm_connect", CmConnect.class);
        Key<CmConnect, String> head = word.head(
                Forms.name("the name of a queue pair"),
                CmConnect::qp,
                "Asks its peer for the connection; the answer is an event.");
        Key<CmConnect, Integer> port = word.required(
                "port", Forms.integer(1, CmListen.MOST_PORT), CmConnect::port, "Port at which the peer listens.");
        Key<CmConnect, ExpectedError> error = word.error(CmConnect::error);
        return word.making(values -> new CmConnect(values.get(head), values.get(port), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        CmBringUp.check(scope, "cm_connect", qp);
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> {
            QueuePair own = context.node().qp(qp);
            CmBringUp.init(context, qp);
            InetSocketAddress peer =
                    new InetSocketAddress(context.peer(qp).device().gid().toInetAddress(), port);
            context.node()
                    .cmIds()
                    .connecting(qp)
                    .resolveAndConnect(peer, PATIENCE, ConnectionParameters.USUAL.withQpNumber(own.number()));
        });
    }
}
