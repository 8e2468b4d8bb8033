// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Takes queue pairs from state to state, as their connections have it (CM-18). */
final class QpSetup {

    private QpSetup() {}

    /** A new one: to INIT, or for datagrams to RTS; that of a request already has the rights that it is going to have. */
    static void begin(QueuePair qp, @Nullable Connection connection) {
        if (qp.initAttributes().type() == QpType.UD) {
            qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(1)
                    .queueKey(Datagrams.QUEUE_KEY));
            qp.modify(new QpAttributes().state(QpState.RTR));
            qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
        } else {
            qp.modify(Terms.init(
                    connection == null ? 0 : Terms.access(connection.request().initiatorDepth())));
        }
    }

    /** To RTS; INIT once more, now with the rights. */
    static void complete(QueuePair qp, Terms terms) {
        qp.modify(terms.attributes(QpState.INIT));
        qp.modify(terms.attributes(QpState.RTR));
        qp.modify(terms.attributes(QpState.RTS));
    }

    /** To ERR; one that its owner destroyed, or that is there already, is left alone. */
    static void fail(@Nullable QueuePair qp) {
        if (qp == null || qp.state() == QpState.ERR || qp.state() == QpState.RESET) {
            return;
        }
        try {
            qp.modify(new QpAttributes().state(QpState.ERR));
        } catch (VerbsException destroyed) {
            // Its owner destroyed it: there is nothing left to flush.
        }
    }
}
