// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Rule;
import java.util.function.Consumer;

/**
 * A service that peers can request: the callbacks for requests, and how many may wait. A request that finds no room is dropped as if it
 * had been lost on the way, and its repeat may find some (CM-17, CM-24). On the lane.
 */
public final class Listener {

    private final int backlog;
    private final int mostHalfOpen;
    private final int mostIds;
    private final boolean refusesRest;
    private final Consumer<PeerRequest> requested;
    private final Consumer<SidrExchanges.Question> asked;
    private int waiting;

    /**
     * A service.
     *
     * @param backlog how many requests may wait to be fetched
     * @param mostHalfOpen how many may be half open on the device
     * @param mostIds how many identifiers the device may have
     * @param refusesRest whether a request that finds no room is refused with NO_RESOURCES
     * @param requested gets each request for a connection
     * @param asked gets each question for a queue pair
     */
    public Listener(
            int backlog,
            int mostHalfOpen,
            int mostIds,
            boolean refusesRest,
            Consumer<PeerRequest> requested,
            Consumer<SidrExchanges.Question> asked) {
        this.backlog = backlog;
        this.mostHalfOpen = mostHalfOpen;
        this.mostIds = mostIds;
        this.refusesRest = refusesRest;
        this.requested = requested;
        this.asked = asked;
    }

    /** A request waits to be fetched. */
    public void waits() {
        waiting++;
    }

    /** A request that waited was fetched. */
    public void fetched() {
        waiting--;
    }

    boolean refusesRest() {
        return refusesRest;
    }

    void requested(PeerRequest request) {
        requested.accept(request);
    }

    void asked(SidrExchanges.Question question) {
        asked.accept(question);
    }

    /** Whether another request may wait. */
    boolean hasRoom(CmContext context, int halfOpen, int ids) {
        if (waiting >= backlog) {
            context.decided(Rule.CM_17);
            return false;
        }
        if (halfOpen >= mostHalfOpen || ids >= mostIds) {
            context.decided(Rule.CM_24);
            return false;
        }
        return true;
    }
}
