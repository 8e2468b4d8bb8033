// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.EmulatedQueuePair;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Packet;

/**
 * The reliable connection protocol of one queue pair: a requester and a completer for what it asks, a responder for what
 * it is asked. Runs on the lane only; has no thread, no clock and no packet of its own.
 */
public final class RcEngine {

    private final EmulatedQueuePair qp;
    private final Requester requester;
    private final Retransmission retransmission;
    private final Completer completer;
    private final Responder responder;

    /** An engine at rest. */
    public RcEngine(EmulatedQueuePair qp) {
        this.qp = qp;
        this.requester = new Requester(qp);
        this.retransmission = new Retransmission(qp, requester);
        this.completer = new Completer(qp, requester, retransmission);
        this.responder = new Responder(qp);
    }

    Completer completer() {
        return completer;
    }

    Retransmission retransmission() {
        return retransmission;
    }

    /** The queue pair became ready to receive. */
    public void beginReceiving() {
        qp.decided("TX-01");
        qp.decided("PSN-05");
        responder.begin();
    }

    /** The queue pair became ready to send. */
    public void beginSending() {
        qp.decided("PSN-05");
        requester.begin(qp.attributes().sqPsn());
        retransmission.begin();
    }

    /** The queue pair may send again, by the retries that it may have been given while its send queue was drained. */
    public void resumeSending() {
        retransmission.begin();
    }

    /** max_dest_rd_atomic was changed. */
    public void resizeResponderResources() {
        responder.resize();
    }

    /** Whether requests were started that have not completed. */
    public boolean isOutstanding() {
        return requester.isOutstanding();
    }

    /** The queue pair failed: nothing more is asked; what the responder has to say last is still said. */
    public void stopAfterError() {
        letGo();
        retransmission.stop();
        if (!responder.outbox().hasLastWords()) {
            qp.decided("QP-29");
            responder.stop();
        }
    }

    /** Nothing more is said or heard. */
    public void stop() {
        letGo();
        retransmission.stop();
        responder.stop();
    }

    /** How many packets may cross as one at present: with a watcher, no two. */
    int mostPacketsOfRun() {
        Link link = qp.link();
        return link == null || qp.device().isTraced() ? 1 : link.mostPacketsOfRun();
    }

    /** Programs have their buffers back: what is on its way between them and the link goes on with bytes of its own. */
    private void letGo() {
        Link link = qp.link();
        if (link != null) {
            link.letGo();
        }
    }

    /** Whether it is the request that comes next, neither lost nor repeated nor out of place. */
    public boolean expects(Packet packet) {
        return packet.opcode().isRequest() && responder.expects(packet.psn());
    }

    /**
     * A packet for this queue pair, which is in a state that receives.
     *
     * @return false if it is a run that has to be taken packet by packet
     */
    public boolean receive(Packet packet) {
        if (packet.opcode().isRequest()) {
            return responder.receive(packet);
        }
        return qp.state() == QpState.RTR || completer.receive(packet);
    }

    /** Where the payload of a packet belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    public boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        return head.opcode().isRequest()
                ? responder.land(head, payloadLengthBytes, place)
                : qp.state() != QpState.RTR && completer.land(head, payloadLengthBytes, place);
    }

    /** Fills the next packet of the responder; false if there is none. */
    public boolean pullResponse(Packet packet) {
        if (qp.state() == QpState.ERR && !responder.outbox().hasLastWords()) {
            return false;
        }
        return responder.outbox().pull(packet);
    }

    /** Whether the responder may have a packet. */
    public boolean hasResponse() {
        return responder.outbox().hasMore();
    }

    /** Whether the requester may have a packet. */
    public boolean hasRequest() {
        return !retransmission.isWaitingForReceiver() && requester.hasMore();
    }

    /** What lets the responder's next packet wait. */
    public ChoicePoint responsePoint() {
        return responder.outbox().point();
    }

    /** Fills the next packet of the requester; false if there is none. */
    public boolean pullRequest(Packet packet) {
        boolean sends = qp.state() == QpState.RTS || qp.state() == QpState.SQD;
        return sends && !retransmission.isWaitingForReceiver() && requester.pull(packet);
    }
}
