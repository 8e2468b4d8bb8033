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
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Takes requests for connections from now on (rdma_listen). */
public record CmListen(int port, int backlog, @Nullable ExpectedError error) implements Step {

    static final int MOST_PORT = (1 << 16) - 1;

    /** How it is written. */
    public static StepWord<CmListen> word() {
        StepWord<CmListen> word = new StepWord<>("cm_listen", CmListen.class);
        Key<CmListen, Integer> head = word.head(
                Forms.integer(1, MOST_PORT),
                CmListen::port,
                "Takes requests for connections at that port of the connection manager.");
        Key<CmListen, Integer> backlog = word.optional(
                "backlog",
                Forms.integer(0, CmId.MOST_BACKLOG),
                0,
                CmListen::backlog,
                "How many requests may wait to be fetched; 0 for the most.");
        Key<CmListen, ExpectedError> error = word.error(CmListen::error);
        return word.making(values -> new CmListen(values.get(head), values.get(backlog), values.orNull(error)));
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> {
            CmId id = context.node().cmIds().listener();
            id.bindAddress(new InetSocketAddress(context.node().device().gid().toInetAddress(), port));
            id.listen(backlog);
        });
    }
}
