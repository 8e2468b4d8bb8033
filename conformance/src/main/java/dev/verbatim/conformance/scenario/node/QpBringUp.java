// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import java.util.Objects;

/** Brings queue pairs from RESET to RTS, as their connection says. */
public final class QpBringUp {

    private final StepContext context;
    private final String qp;
    private final ConnectionSpec connection;
    private final QpSpec spec;
    private final QpType type;

    private QpBringUp(StepContext context, String qp) {
        this.context = context;
        this.qp = qp;
        ConnectionSpec found = context.node().names().connection(qp);
        if (found == null) {
            throw new IllegalStateException("queue pair " + qp + " has no connection; check the scenario first");
        }
        this.connection = found;
        this.spec = Objects.requireNonNull(context.node().names().qps().get(qp), qp);
        this.type = spec.type();
    }

    /** All the way. */
    public static void connect(StepContext context, String qp) {
        QpBringUp wiring = new QpBringUp(context, qp);
        wiring.readyToReceive();
        wiring.readyToSend();
    }

    /** RESET to INIT to RTR: it answers from now on. */
    public static void readyToReceive(StepContext context, String qp) {
        new QpBringUp(context, qp).readyToReceive();
    }

    /** RTR to RTS: it asks from now on. */
    public static void readyToSend(StepContext context, String qp) {
        new QpBringUp(context, qp).readyToSend();
    }

    private void readyToReceive() {
        QueuePair mine = context.node().qp(qp);
        if (type == QpType.UD && mine.state() != QpState.RESET) {
            return; // It has several connections, which are only names of peers then.
        }
        QpAttributes init = new QpAttributes().state(QpState.INIT).pkeyIndex(0).portNumber(spec.portNumber());
        if (type == QpType.UD) {
            mine.modify(init.queueKey(spec.queueKey()));
            mine.modify(new QpAttributes().state(QpState.RTR));
        } else {
            mine.modify(init.accessFlags(connection.link().access()));
            mine.modify(toPeer(connection.link()));
        }
    }

    private QpAttributes toPeer(LinkSpec link) {
        QpRef peer = connection.peerOf(new QpRef(context.node().name(), qp));
        QueuePair theirs = context.node(peer.node()).qp(peer.qp());
        QpAttributes asked = new QpAttributes()
                .state(QpState.RTR)
                .addressVector(way(context, qp, peer))
                .pathMtu(link.pathMtu())
                .destinationQp(theirs.number())
                .rqPsn(firstPsn(peer, theirs));
        boolean answers = type == QpType.RC || type == QpType.XRC_RECV;
        return answers ? asked.maxDestRdAtomic(link.maxDestRdAtomic()).minRnrTimer(link.minRnrTimer()) : asked;
    }

    /** The way from a queue pair of the node to another one, from its port to that of the other, as both are brought up. */
    public static AddressVector way(StepContext context, String qp, QpRef peer) {
        NodeState there = context.node(peer.node());
        return AddressVector.to(there.device().queryGid(portOf(there, peer.qp()), 0))
                .withPort(portOf(context.node(), qp));
    }

    private static int portOf(NodeState node, String qp) {
        return Objects.requireNonNull(node.names().qps().get(qp), qp).portNumber();
    }

    private void readyToSend() {
        LinkSpec link = connection.link();
        QueuePair mine = context.node().qp(qp);
        if (type == QpType.UD && mine.state() == QpState.RTS) {
            return;
        }
        QpAttributes asked = new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(firstPsn(new QpRef(context.node().name(), qp), mine));
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

    private int firstPsn(QpRef end, QueuePair queuePair) {
        if (connection.psns().isEmpty()) {
            return queuePair.number();
        }
        return connection.psns().get(connection.ends().get(0).equals(end) ? 0 : 1);
    }
}
