// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.ud;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.TransportEngine;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/** The datagram service of one queue pair (UD-01). Runs on the lane only; has no thread, no clock and no packet of its own. */
public final class UdEngine implements TransportEngine {

    private final QpContext qp;
    private final UdRequester requester;
    private final UdResponder responder;

    /**
     * An engine at rest.
     *
     * @param badQueueKey counts a datagram with another Q_Key than that of the queue pair
     */
    public UdEngine(QpContext qp, Runnable badQueueKey) {
        this.qp = qp;
        this.requester = new UdRequester(qp);
        this.responder = new UdResponder(qp, badQueueKey);
    }

    @Override
    public void beginReceiving() {
        qp.decided(Rule.TX_01);
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
        // A datagram whose source is being gathered is flushed with the others.
        requester.stop();
    }

    @Override
    public void stop() {
        requester.stop();
    }

    /** Datagrams establish no communication, so none is the first of one (QP-27). */
    @Override
    public boolean expects(Packet packet) {
        return false;
    }

    @Override
    public boolean receive(Link link, Packet packet) {
        responder.receive(link, packet);
        return true;
    }

    @Override
    public boolean pullRequest(Packet packet) {
        return requester.pull(packet);
    }

    @Override
    public boolean hasRequest() {
        return requester.hasMore();
    }

    @Override
    public @Nullable Link requestLink() {
        return requester.link();
    }
}
