// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.trace.TraceEvent.SharedReceiveTaken;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The receives of a shared queue that no queue pair has taken. */
final class SharedReceives {

    private static final int MOST_REMEMBERED = 1 << 16;

    private final String name;
    private final Findings findings;
    private final ArrayDeque<ReceiveWorkRequest> waiting = new ArrayDeque<>();
    private boolean forgotten;

    SharedReceives(String device, int number, Findings findings) {
        this.name = device + " srq " + number;
        this.findings = findings;
    }

    void posted(SharedReceivePosted event) {
        waiting.addLast(event.request());
        if (waiting.size() > MOST_REMEMBERED) {
            waiting.removeFirst();
            forgotten = true;
            findings.notJudged(Gap.FORGOTTEN);
        }
    }

    /** What a queue pair takes; null if there is nothing of that number. Which one it takes, no rule says. */
    @Nullable
    ReceiveWorkRequest taken(SharedReceiveTaken event, QueuePairModel by, long position) {
        findings.checked(Check.SHARED_RECEIVE_ONCE);
        for (Iterator<ReceiveWorkRequest> each = waiting.iterator(); each.hasNext(); ) {
            ReceiveWorkRequest receive = each.next();
            if (receive.id() == event.workRequestId()) {
                each.remove();
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
}
