// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.TransportEngine;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;

/**
 * The unreliable connection protocol of one queue pair: a requester that is done with what it has sent, and a responder that never
 * answers (UC-01). Runs on the lane only; has no thread, no clock and no packet of its own.
 */
public final class UcEngine implements TransportEngine {

    private final QpContext qp;
    private final UcRequester requester;
    private final UcResponder responder;

    /** An engine at rest. */
    public UcEngine(QpContext qp) {
        this.qp = qp;
        this.requester = new UcRequester(qp);
        this.responder = new UcResponder(qp);
    }

    @Override
    public void beginReceiving() {
        qp.decided(Rule.TX_01);
        responder.begin();
    }

    @Override
    public void beginSending() {
        requester.begin();
    }

    @Override
    public void resumeSending() {
        requester.resume();
    }

    @Override
    public boolean isOutstanding() {
        return requester.isOutstanding();
    }

    @Override
    public void stopAfterError() {
        // A message that is half sent ends here: it is flushed, and its program has its buffer back (ORD-15).
        requester.stop();
        responder.stop();
    }

    @Override
    public void stop() {
        requester.stop();
        responder.stop();
    }

    @Override
    public boolean expects(Packet packet) {
        return responder.expects(packet);
    }

    @Override
    public boolean receive(Link link, Packet packet) {
        return responder.receive(packet);
    }

    @Override
    public boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        return responder.land(head, payloadLengthBytes, place);
    }

    @Override
    public boolean pullRequest(Packet packet) {
        return requester.pull(packet);
    }

    @Override
    public boolean hasRequest() {
        return requester.hasMore();
    }
}
