// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Rule;

/** In SQD the requests that were started finish, and an event says when they have, if that was asked for or the device always does (QP-26). */
final class Drain {

    private final QpContext qp;

    Drain(QpContext qp) {
        this.qp = qp;
    }

    boolean isUnderWay() {
        return qp.draining;
    }

    /** The queue pair has entered SQD. */
    void begin() {
        qp.draining = true;
        progressed();
    }

    /** It has left SQD before the end. */
    void stop() {
        qp.draining = false;
    }

    /** A request has finished, and perhaps it was the last. */
    void progressed() {
        if (qp.draining && qp.state() == QpState.SQD && !qp.engine().isOutstanding()) {
            qp.draining = false;
            qp.decided(Rule.QP_26);
            if (qp.attributes().notifyDrained()
                    || qp.device().profile().completions().drainAlwaysTold()) {
                qp.raise(EventType.SQ_DRAINED, null);
            }
        }
    }
}
