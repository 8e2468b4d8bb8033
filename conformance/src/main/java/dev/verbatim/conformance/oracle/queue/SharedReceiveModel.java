// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.TraceEvent.SharedReceiveLimited;
import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.trace.TraceEvent.SharedReceiveTaken;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The receives of a shared queue that no queue pair has taken. */
public final class SharedReceiveModel {

    private static final int MOST_REMEMBERED = 1 << 16;

    private final String name;
    private final Findings findings;
    private final ArrayDeque<ReceiveWorkRequest> waiting = new ArrayDeque<>();
    private boolean forgotten;
    private int limit;
    /** Events of the limit that must come, where in the trace the newest was caused, and those that may come. */
    private int owed;

    private long owedSince = -1;
    private int excused;

    SharedReceiveModel(String device, int number, Findings findings) {
        this.name = device + " srq " + number;
        this.findings = findings;
    }

    public void posted(SharedReceivePosted event) {
        waiting.addLast(event.request());
        if (waiting.size() > MOST_REMEMBERED) {
            waiting.removeFirst();
            forgotten = true;
            findings.notJudged(Gap.FORGOTTEN);
        }
    }

    /** The receive that a queue pair takes; null if there is none of that number. No rule determines which one it takes. */
    @Nullable
    public ReceiveWorkRequest taken(SharedReceiveTaken event, QueuePairState by, long position) {
        findings.checked(Check.SHARED_RECEIVE_ONCE);
        for (Iterator<ReceiveWorkRequest> each = waiting.iterator(); each.hasNext(); ) {
            ReceiveWorkRequest receive = each.next();
            if (receive.id() == event.workRequestId()) {
                each.remove();
                checkState(by, receive, position);
                if (waiting.size() < limit && !forgotten) {
                    limit = 0;
                    owed++;
                    owedSince = position;
                }
                return receive;
            }
        }
        if (!forgotten) {
            findings.violated(
                    Check.SHARED_RECEIVE_ONCE,
                    Text.of("%s takes wr_id=%d of %s, which is not there", by, event.workRequestId(), name),
                    position);
        }
        return null;
    }

    private void checkState(QueuePairState by, ReceiveWorkRequest receive, long position) {
        findings.checked(Check.EFFECT_AFTER_ERROR);
        if (by.isKnown() && by.state() == QpState.ERR) {
            findings.violated(
                    Check.EFFECT_AFTER_ERROR,
                    Text.of("%s takes wr_id=%d of %s in ERR", by, receive.id(), name),
                    by.stateSince(),
                    position);
        }
    }

    /** The limit is armed or disarmed. An event caused before may still be raised, unless the queue is destroyed. */
    public void limited(SharedReceiveLimited event) {
        limit = event.limit();
        if (limit == 0) {
            excused += owed;
            owed = 0;
        }
    }

    /** The event of the limit; it may be raised late, but not early or twice. */
    public void limitReached(long position) {
        findings.checked(Check.SHARED_RECEIVE_LIMIT);
        if (owed > 0) {
            owed--;
        } else if (excused > 0) {
            excused--;
        } else if (!forgotten) {
            findings.violated(
                    Check.SHARED_RECEIVE_LIMIT,
                    Text.of(
                            "%s says that its limit was reached; it is %d, and %d are left",
                            name, limit, waiting.size()),
                    position);
        }
    }

    /** The run is over: an event was raised for each limit that was reached. */
    void atEnd(Findings verdict) {
        verdict.checked(Check.SHARED_RECEIVE_LIMIT);
        if (owed > 0) {
            verdict.violated(
                    Check.SHARED_RECEIVE_LIMIT, Text.of("%s never said that its limit was reached", name), owedSince);
        }
    }
}
