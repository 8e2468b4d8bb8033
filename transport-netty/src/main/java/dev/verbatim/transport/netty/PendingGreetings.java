// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.socket.TransportLimits;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Accepted connections whose other ends have not named themselves. They are few, and when one more comes the oldest gives
 * way: a normal peer sends its hello at once, so silent connections, however many, keep no peer out. All on the
 * lane.
 */
final class PendingGreetings {

    private final Set<AcceptedGreeting> waiting = new LinkedHashSet<>();

    /** One more has come. */
    void add(AcceptedGreeting newcomer) {
        if (waiting.size() == TransportLimits.MOST_NEWCOMERS) {
            waiting.iterator().next().giveWay();
        }
        waiting.add(newcomer);
    }

    /** It has said who it is, or is gone. */
    void remove(AcceptedGreeting newcomer) {
        waiting.remove(newcomer);
    }

    int count() {
        return waiting.size();
    }
}
