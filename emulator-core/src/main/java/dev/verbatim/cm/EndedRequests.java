// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Req;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that were answered for good a short while ago. Another copy may be under way: the network doubled or delayed it, or the
 * answer crossed a repeat, or was lost. It is no new request, which nobody would be waiting behind, and which would keep the peer's
 * queue pair from its next connection: whoever was refused is refused again, in the same words, and everything else passes in silence
 * (CM-13).
 *
 * <p>A copy is one byte for byte. Whoever asks anew, even with the same numbers, begins with another PSN, and is heard.
 *
 * <p>There are at most {@value #MOST}, so that a flood of requests costs no more than the memory of those before. On the lane.
 */
final class EndedRequests {

    static final int MOST = 1024;

    private record Asked(Gid source, long transactionId, Req request) {}

    private record Ended(@Nullable Octets refusal, long untilNanos) {}

    private final CmAgent agent;
    private final Map<Asked, Ended> oldestFirst = new LinkedHashMap<>();

    EndedRequests(CmAgent agent) {
        this.agent = agent;
    }

    /** What it began is over; a copy gets the refusal, if there is one. */
    void remember(Gid source, Req request, long transactionId, @Nullable Octets refusal) {
        remember(new Asked(source, transactionId, request), refusal);
    }

    private void remember(Asked asked, @Nullable Octets refusal) {
        forgetOld();
        oldestFirst.remove(asked);
        oldestFirst.put(asked, new Ended(refusal, agent.lane().nowNanos() + lastingNanos(asked.request())));
        if (oldestFirst.size() > MOST) {
            Iterator<Asked> oldest = oldestFirst.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Until after the next repeat that its sender would make, and as long again as a packet is under way. */
    private static long lastingNanos(Req request) {
        return 2 * Timers.askedNanos(CmOptions.USUAL, request.primary().ackTimeout())
                + Timers.askedNanos(CmOptions.USUAL, request.remoteResponseTimeout());
    }

    /** Whether the request is such a copy, which has been dealt with now. */
    boolean isCopy(Gid source, Req request, long transactionId) {
        forgetOld();
        Asked asked = new Asked(source, transactionId, request);
        Ended ended = oldestFirst.get(asked);
        if (ended == null) {
            return false;
        }
        agent.decided("CM-13");
        Octets refusal = ended.refusal();
        if (refusal != null) {
            remember(asked, refusal);
            agent.send(source, refusal);
        }
        return true;
    }

    private void forgetOld() {
        long now = agent.lane().nowNanos();
        Iterator<Ended> oldest = oldestFirst.values().iterator();
        while (oldest.hasNext() && oldest.next().untilNanos() - now <= 0) {
            oldest.remove();
        }
    }

    void clear() {
        oldestFirst.clear();
    }

    int count() {
        forgetOld();
        return oldestFirst.size();
    }
}
