// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.Connection;
import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;

/** Brings queue pairs from RESET to RTS, as their connection says. */
public final class Wiring {

    private final Workbench bench;
    private final String qp;
    private final Connection connection;

    private Wiring(Workbench bench, String qp) {
        this.bench = bench;
        this.qp = qp;
        Connection found = bench.names().connection(qp);
        if (found == null) {
            throw new IllegalStateException("queue pair " + qp + " has no connection; check the scenario first");
        }
        this.connection = found;
    }

    /** All the way. */
    static void connect(Workbench bench, String qp) {
        Wiring wiring = new Wiring(bench, qp);
        wiring.readyToReceive();
        wiring.readyToSend();
    }

    /** RESET to INIT to RTR: it answers from now on. */
    public static void readyToReceive(Workbench bench, String qp) {
        new Wiring(bench, qp).readyToReceive();
    }

    /** RTR to RTS: it asks from now on. */
    public static void readyToSend(Workbench bench, String qp) {
        new Wiring(bench, qp).readyToSend();
    }

    private void readyToReceive() {
        LinkSpec link = connection.link();
        End own = new End(bench.name(), qp);
        End peer = connection.peerOf(own);
        QueuePair mine = bench.qp(qp);
        QueuePair theirs = bench.board().bench(peer.node()).qp(peer.qp());
        mine.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(1)
                .accessFlags(link.access()));
        mine.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(theirs.device().gid()))
                .pathMtu(link.pathMtu())
                .destinationQp(theirs.number())
                .rqPsn(firstPsn(peer, theirs))
                .maxDestRdAtomic(link.maxDestRdAtomic())
                .minRnrTimer(link.minRnrTimer()));
    }

    private void readyToSend() {
        LinkSpec link = connection.link();
        QueuePair mine = bench.qp(qp);
        mine.modify(new QpAttributes()
                .state(QpState.RTS)
                .timeout(link.timeout())
                .retryCount(link.retryCount())
                .rnrRetry(link.rnrRetry())
                .sqPsn(firstPsn(new End(bench.name(), qp), mine))
                .maxRdAtomic(link.maxRdAtomic()));
    }

    private int firstPsn(End end, QueuePair queuePair) {
        if (connection.psns().isEmpty()) {
            return queuePair.number();
        }
        return connection.psns().get(connection.ends().get(0).equals(end) ? 0 : 1);
    }
}
