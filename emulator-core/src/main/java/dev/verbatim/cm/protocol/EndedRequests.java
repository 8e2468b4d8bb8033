// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Req;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that ended a short while ago. Another copy may still arrive: the network doubled or delayed it, or the answer crossed a
 * repeat, or was lost. A copy is not a new request, which would block the peer's queue pair for its next connection: if the request was
 * refused the same refusal is sent again, otherwise the copy is dropped (CM-13).
 *
 * <p>A copy has the same bytes. A new request, even with the same numbers, begins with another PSN.
 *
 * <p>There are at most {@value #MOST}, so that a flood of requests costs no more than the memory of those before. On the lane.
 */
public final class EndedRequests {

    /** Most requests that are remembered. */
    public static final int MOST = 1024;

    private record Ended(@Nullable Octets refusal, long untilNanos) {}

    private final CmContext context;
    private final Map<PeerRequest, Ended> oldestFirst = new LinkedHashMap<>();

    EndedRequests(CmContext context) {
        this.context = context;
    }

    /** The request is over; a copy gets the refusal, if there is one. */
    void remember(PeerRequest asked, @Nullable Octets refusal) {
        forgetOld();
        oldestFirst.remove(asked);
        oldestFirst.put(asked, new Ended(refusal, context.lane().nowNanos() + lastingNanos(asked.request())));
        if (oldestFirst.size() > MOST) {
            Iterator<PeerRequest> oldest = oldestFirst.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Until after the next repeat that its sender would make, and as long again as a packet is under way. */
    private static long lastingNanos(Req request) {
        return 2 * CmTimers.askedNanos(request.primary().ackTimeout(), CmTimers.USUAL_LONGEST)
                + CmTimers.askedNanos(request.remoteResponseTimeout(), CmTimers.USUAL_LONGEST);
    }

    /** Whether the request is such a copy, which has been dealt with now. */
    boolean isCopy(PeerRequest asked) {
        forgetOld();
        Ended ended = oldestFirst.get(asked);
        if (ended == null) {
            return false;
        }
        context.decided(Rule.CM_13);
        Octets refusal = ended.refusal();
        if (refusal != null) {
            remember(asked, refusal);
            context.send(asked.source(), refusal);
        }
        return true;
    }

    private void forgetOld() {
        long now = context.lane().nowNanos();
        Iterator<Ended> oldest = oldestFirst.values().iterator();
        while (oldest.hasNext() && oldest.next().untilNanos() - now <= 0) {
            oldest.remove();
        }
    }

    void clear() {
        oldestFirst.clear();
    }

    /** How many are remembered. */
    public int count() {
        forgetOld();
        return oldestFirst.size();
    }
}
