// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmConnection;
import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.cm.protocol.ConnectionTerms;
import dev.verbatim.cm.protocol.SidrExchanges;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Changes the states of queue pairs with their connections (CM-18). */
final class QpSetup {

    private QpSetup() {}

    /** Makes one that fits the identifier, and takes it where its connection begins. */
    static QueuePair create(
            ProtectionDomain pd,
            QpInitAttributes attributes,
            PortSpace portSpace,
            Device device,
            int portNumber,
            @Nullable CmConnection connection) {
        if (attributes.type() != portSpace.qpType() || !pd.device().equals(device)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_18,
                    "port space %s takes queue pairs of type %s and of device %s, not %s of %s",
                    portSpace,
                    portSpace.qpType(),
                    device.name(),
                    attributes.type(),
                    pd.device().name());
        }
        QueuePair made = pd.createQp(attributes);
        try {
            begin(made, portNumber, connection);
        } catch (VerbsException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** A new one: to INIT, or for datagrams to RTS; that of a request already has the rights that it is going to have. */
    private static void begin(QueuePair qp, int portNumber, @Nullable CmConnection connection) {
        if (qp.initAttributes().type() == QpType.UD) {
            qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(portNumber)
                    .queueKey(SidrExchanges.QUEUE_KEY));
            qp.modify(new QpAttributes().state(QpState.RTR));
            qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
        } else {
            qp.modify(ConnectionTerms.init(
                    portNumber,
                    connection == null
                            ? 0
                            : ConnectionTerms.access(connection.request().initiatorDepth())));
        }
    }

    /** To RTS; INIT once more, now with the rights. */
    static void complete(QueuePair qp, int portNumber, ConnectionTerms terms) {
        qp.modify(terms.attributes(portNumber, QpState.INIT));
        qp.modify(terms.attributes(portNumber, QpState.RTR));
        qp.modify(terms.attributes(portNumber, QpState.RTS));
    }

    /**
     * To ERR; one that its owner destroyed, or that is there already, is left alone.
     *
     * @param why the cause of what is flushed
     */
    static void fail(CmContext cm, @Nullable QueuePair qp, String why) {
        if (qp == null) {
            return;
        }
        cm.stateDecides(qp);
        if (qp.state() == QpState.ERR || qp.state() == QpState.RESET) {
            return;
        }
        try {
            Refusal reason = Refusal.of(Rule.CM_18, "the connection of qp %d has ended: %s", qp.number(), why);
            qp.modify(new QpAttributes().state(QpState.ERR).reason(reason));
        } catch (VerbsException destroyed) {
            // Its owner destroyed it: there is nothing left to flush.
        }
    }
}
