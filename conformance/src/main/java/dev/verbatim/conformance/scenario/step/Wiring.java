// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.Connection;
import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import java.util.Objects;

/** Brings queue pairs from RESET to RTS, as their connection says. */
public final class Wiring {

    private final Workbench bench;
    private final String qp;
    private final Connection connection;
    private final QpSpec spec;
    private final QpType type;

    private Wiring(Workbench bench, String qp) {
        this.bench = bench;
        this.qp = qp;
        Connection found = bench.names().connection(qp);
        if (found == null) {
            throw new IllegalStateException("queue pair " + qp + " has no connection; check the scenario first");
        }
        this.connection = found;
        this.spec = Objects.requireNonNull(bench.names().qps().get(qp), qp);
        this.type = spec.type();
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
        QueuePair mine = bench.qp(qp);
        if (type == QpType.UD && mine.state() != QpState.RESET) {
            return; // It has several connections, which are only names of peers then.
        }
        QpAttributes init = new QpAttributes().state(QpState.INIT).pkeyIndex(0).portNumber(1);
        if (type == QpType.UD) {
            mine.modify(init.queueKey(spec.queueKey()));
            mine.modify(new QpAttributes().state(QpState.RTR));
        } else {
            mine.modify(init.accessFlags(connection.link().access()));
            mine.modify(toPeer(connection.link()));
        }
    }

    private QpAttributes toPeer(LinkSpec link) {
        End peer = connection.peerOf(new End(bench.name(), qp));
        QueuePair theirs = bench.board().bench(peer.node()).qp(peer.qp());
        QpAttributes asked = new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(theirs.device().gid()))
                .pathMtu(link.pathMtu())
                .destinationQp(theirs.number())
                .rqPsn(firstPsn(peer, theirs));
        boolean answers = type == QpType.RC || type == QpType.XRC_RECV;
        return answers ? asked.maxDestRdAtomic(link.maxDestRdAtomic()).minRnrTimer(link.minRnrTimer()) : asked;
    }

    private void readyToSend() {
        LinkSpec link = connection.link();
        QueuePair mine = bench.qp(qp);
        if (type == QpType.UD && mine.state() == QpState.RTS) {
            return;
        }
        QpAttributes asked = new QpAttributes().state(QpState.RTS).sqPsn(firstPsn(new End(bench.name(), qp), mine));
        if (type == QpType.RC || type == QpType.XRC_SEND) {
            asked.timeout(link.timeout())
                    .retryCount(link.retryCount())
                    .rnrRetry(link.rnrRetry())
                    .maxRdAtomic(link.maxRdAtomic());
        } else if (type == QpType.XRC_RECV) {
            asked.timeout(link.timeout());
        }
        mine.modify(asked);
    }

    private int firstPsn(End end, QueuePair queuePair) {
        if (connection.psns().isEmpty()) {
            return queuePair.number();
        }
        return connection.psns().get(connection.ends().get(0).equals(end) ? 0 : 1);
    }
}
