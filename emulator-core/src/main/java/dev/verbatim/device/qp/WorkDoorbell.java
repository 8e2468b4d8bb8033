// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.fabric.Doorbell;
import dev.verbatim.verbs.Rule;

/** Rung when something was posted to a queue pair that the lane has to look at. */
final class WorkDoorbell extends Doorbell {

    private final QpContext qp;
    private final QpLifecycle lifecycle;
    private final PacketOutput requests;

    WorkDoorbell(QpContext qp) {
        this.qp = qp;
        this.lifecycle = qp.lifecycle();
        this.requests = qp.output(true);
    }

    @Override
    protected void answer() {
        try {
            workPosted();
        } catch (RuntimeException | Error e) {
            qp.stepFailed(e);
        }
    }

    private void workPosted() {
        switch (qp.state()) {
            case ERR -> {
                qp.decided(Rule.QP_23);
                lifecycle.flushPosted();
            }
            case SQE -> Flush.ofSends(qp, qp.root());
            default -> requests.announce();
        }
    }
}
