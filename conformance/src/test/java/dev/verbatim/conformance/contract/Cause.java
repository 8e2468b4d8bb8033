// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of statuses by cause (G.2): how it is brought about, and what each side then sees by default, where
 * the rules leave more than one answer open.
 *
 * @param rule the row
 * @param what the cause in words
 * @param requester status of the request
 * @param receive status of the receive that the responder had posted; null if it is not taken
 * @param event the responder's event; null for none
 * @param left the requester's state afterwards
 * @param right the responder's state afterwards
 * @param connect brings the two queue pairs to where they are when the request is posted
 * @param receives whether the responder has receives posted
 * @param element the element of the first of them
 * @param request the request that fails, with wr_id 1
 */
record Cause(
        String rule,
        String what,
        WcStatus requester,
        @Nullable WcStatus receive,
        @Nullable EventType event,
        QpState left,
        QpState right,
        Consumer<RcPair> connect,
        boolean receives,
        Function<RcPair, Sge> element,
        Function<RcPair, SendWorkRequest> request) {

    /** Retries after 4 ms: seven of them outlast a lossy link, and are not needed on the others. */
    static final RcConnection CONNECTION = RcConnection.USUAL.withRetries(10, 7, 7, 12);

    /** The columns; a usual connection, receives of eight bytes, and no request yet. */
    static Cause row(
            String rule,
            String what,
            WcStatus requester,
            @Nullable WcStatus receive,
            @Nullable EventType event,
            QpState left,
            QpState right) {
        return new Cause(
                rule,
                what,
                requester,
                receive,
                event,
                left,
                right,
                pair -> pair.connect(CONNECTION),
                true,
                pair -> pair.right.sge(0, 8),
                pair -> {
                    throw new IllegalStateException("no request");
                });
    }

    Cause connected(Consumer<RcPair> how) {
        return new Cause(rule, what, requester, receive, event, left, right, how, receives, element, request);
    }

    Cause withoutReceives() {
        return new Cause(rule, what, requester, receive, event, left, right, connect, false, element, request);
    }

    Cause receiving(Function<RcPair, Sge> into) {
        return new Cause(rule, what, requester, receive, event, left, right, connect, true, into, request);
    }

    Cause asking(Function<RcPair, SendWorkRequest> failing) {
        return new Cause(rule, what, requester, receive, event, left, right, connect, receives, element, failing);
    }

    @Override
    public String toString() {
        return rule + " " + what;
    }
}
