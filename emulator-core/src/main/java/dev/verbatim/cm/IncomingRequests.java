// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.Listener;
import dev.verbatim.cm.protocol.PeerRequest;
import dev.verbatim.cm.protocol.SidrExchanges;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;

/** Makes a new identifier, and a CONNECT_REQUEST event, of each request that comes to an identifier that listens. On the lane. */
final class IncomingRequests {

    private final Identifier identifier;
    private final Listener listener;

    /** See {@link CmId#listen} and {@link CmId#listenOrRefuse}. */
    IncomingRequests(Identifier identifier, int backlog, boolean refusesRest) {
        this.identifier = identifier;
        CmOptions options = identifier.options();
        int most = backlog <= 0 ? CmId.MOST_BACKLOG : Math.min(backlog, CmId.MOST_BACKLOG);
        this.listener = new Listener(
                most, options.mostHalfOpen(), options.mostIds(), refusesRest, this::requested, this::asked);
    }

    Listener listener() {
        return listener;
    }

    private void requested(PeerRequest request) {
        IpHeader header = IpHeader.parse(request.request().privateData());
        Identifier brought = identifier.brought(request.source(), header.sourcePort());
        brought.exchange().begin(request);
        bring(brought, Negotiation.shown(request.request()));
    }

    private void asked(SidrExchanges.Question question) {
        Octets said = question.request().privateData();
        Identifier brought =
                identifier.brought(question.source(), IpHeader.parse(said).sourcePort());
        brought.exchange().begin(question);
        bring(
                brought,
                ConnectionParameters.NONE.withPrivateData(
                        IpHeader.userData(said).toBytes()));
    }

    private void bring(Identifier brought, ConnectionParameters shown) {
        listener.waits();
        identifier.bring(brought, () -> {
            listener.fetched();
            return new CmEvent(
                    identifier,
                    brought.id(),
                    identifier.id(),
                    CmEventType.CONNECT_REQUEST,
                    0,
                    shown,
                    0,
                    null,
                    "a peer asks for a connection");
        });
    }
}
