// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;

/**
 * The asynchronous events of one life of a queue pair: COMM_EST and QP_LAST_WQE_REACHED. That a queue pair shares its receives
 * is not in the trace; it is known of one that has taken a receive.
 */
public final class QueuePairEvents {

    private final QueuePairState queuePair;
    private final Findings findings;
    private boolean established;
    private boolean shares;
    private boolean ofItsOwn;
    private long lastReachedAt = -1;

    QueuePairEvents(QueuePairState queuePair, Findings findings) {
        this.queuePair = queuePair;
        this.findings = findings;
    }

    /** A receive was posted to its own queue. */
    public void postedReceive() {
        ofItsOwn = true;
    }

    /** It took a receive of a shared queue. */
    public void tookSharedReceive() {
        shares = true;
    }

    public void raised(EventType type, long position) {
        if (type == EventType.COMM_EST) {
            established(position);
        } else if (type == EventType.QP_LAST_WQE_REACHED) {
            lastReached(position);
        }
    }

    /** Once, and not when its program has brought it to RTS (QP-27). */
    private void established(long position) {
        findings.checked(Check.ESTABLISHED_ONCE);
        if (established || queuePair.state() != QpState.RTR) {
            findings.violated(
                    Check.ESTABLISHED_ONCE,
                    Text.of(
                            "%s in %s says that communication is established%s",
                            queuePair, queuePair.state(), established ? " once more" : ""),
                    queuePair.stateSince(),
                    position);
        }
        established = true;
    }

    /** Once, in ERR, of one that shares its receives; that it takes none in ERR is another check (QP-25). */
    private void lastReached(long position) {
        findings.checked(Check.LAST_SHARED_RECEIVE);
        if (lastReachedAt >= 0 || ofItsOwn || queuePair.state() != QpState.ERR) {
            findings.violated(
                    Check.LAST_SHARED_RECEIVE,
                    Text.of(
                            "%s in %s says that it takes no more shared receives%s",
                            queuePair,
                            queuePair.state(),
                            ofItsOwn ? ", but has a queue of its own" : lastReachedAt >= 0 ? " once more" : ""),
                    lastReachedAt,
                    queuePair.stateSince(),
                    position);
        }
        lastReachedAt = position;
    }

    /** The run is over: who took shared receives and is in ERR has said that there are no more. */
    void atEnd(Findings verdict) {
        if (!shares || queuePair.isXrc() || queuePair.state() != QpState.ERR) {
            return;
        }
        verdict.checked(Check.LAST_SHARED_RECEIVE);
        if (lastReachedAt < 0) {
            verdict.violated(
                    Check.LAST_SHARED_RECEIVE,
                    Text.of("%s is in ERR and never said that it takes no more shared receives", queuePair),
                    queuePair.stateSince());
        }
    }
}
