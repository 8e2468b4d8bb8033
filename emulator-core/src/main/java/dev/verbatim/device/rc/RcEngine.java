// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.TransportEngine;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import org.jspecify.annotations.Nullable;

/**
 * The reliable connection protocol of one queue pair: a requester and a completer for what it asks, a responder for what
 * it is asked. Runs on the lane only; has no thread, no clock and no packet of its own.
 */
public final class RcEngine implements TransportEngine {

    private final QpContext qp;
    private final Requester requester;
    private final Retransmission retransmission;
    private final Completer completer;
    private final Responder responder;
    private final ResponderOutbox outbox;
    private final RequesterFastPath fastRequests;
    private final ResponderFastPath fastAnswers;

    /** The receiving end of an XRC connection asks nothing. */
    private final boolean asks;

    /** The sending end of an XRC connection is asked nothing. */
    private final boolean answers;

    /** An engine at rest. */
    public RcEngine(QpContext qp) {
        this.qp = qp;
        this.requester = new Requester(qp, this);
        this.retransmission = new Retransmission(qp, this, requester);
        this.completer = new Completer(qp, requester, retransmission);
        this.responder = new Responder(qp, this);
        this.outbox = responder.outbox();
        this.fastRequests = new RequesterFastPath(qp, requester, retransmission, completer);
        this.fastAnswers = new ResponderFastPath(qp, responder);
        this.asks = qp.type() != QpType.XRC_RECV;
        this.answers = qp.type() != QpType.XRC_SEND;
    }

    Completer completer() {
        return completer;
    }

    Retransmission retransmission() {
        return retransmission;
    }

    @Override
    public void beginReceiving() {
        qp.decided(Rule.TX_01);
        qp.decided(Rule.PSN_05);
        responder.begin();
    }

    @Override
    public void beginSending() {
        qp.decided(Rule.PSN_05);
        requester.begin(qp.attributes().sqPsn());
        retransmission.begin();
    }

    @Override
    public void resumeSending() {
        retransmission.begin();
    }

    /** Both ends hear of it, so the responder leaves to the peer's requester to ask again. */
    @Override
    public void linkResumed() {
        outbox.leaveToBeAskedAgain();
        retransmission.linkResumed();
    }

    @Override
    public boolean isTimed() {
        return retransmission.isTimed();
    }

    @Override
    public void resizeResponderResources() {
        responder.resize();
    }

    @Override
    public String retries() {
        return retransmission.describe();
    }

    @Override
    public @Nullable Refusal reasonOfWait() {
        return retransmission.reasonOfWait();
    }

    @Override
    public long progress() {
        return ((long) requester.oldestUnacknowledgedPsn() << Integer.SIZE) | responder.expectedPsn();
    }

    @Override
    public boolean isOutstanding() {
        return requester.isOutstanding();
    }

    @Override
    public void stopAfterError() {
        retransmission.stop();
        requester.stop();
        if (!outbox.hasLastWords()) {
            qp.decided(Rule.QP_29);
            responder.stop();
        }
    }

    @Override
    public void stop() {
        retransmission.stop();
        requester.stop();
        responder.stop();
    }

    /** How many packets may cross as one at present: with a watcher, no two. */
    int mostPacketsOfRun() {
        Link link = qp.link();
        return link == null || qp.device().isTraced() ? 1 : link.mostPacketsOfRun();
    }

    @Override
    public boolean expects(Packet packet) {
        return packet.opcode().isRequest() && answers && responder.expects(packet.psn());
    }

    @Override
    public boolean receive(Link from, Packet packet) {
        Opcode opcode = packet.opcode();
        if (opcode.isRequest()) {
            return answers ? responder.receive(packet, opcode) : drop(packet);
        }
        return asks ? qp.state() == QpState.RTR || completer.receive(packet, opcode) : drop(packet);
    }

    @Override
    public boolean beginPlain(PlainRequest request, boolean isAlone) {
        return fastRequests.begin(request, isAlone);
    }

    @Override
    public void plainHandedOver(PlainRequest request) {
        fastRequests.handedOver(request);
    }

    @Override
    public boolean receivePlain(PlainRequest request, boolean answersNow) {
        return fastAnswers.receive(request, answersNow);
    }

    @Override
    public boolean receivePlain(PlainAnswer answer) {
        return fastRequests.receive(answer);
    }

    @Override
    public boolean pullPlainResponse(PlainAnswer answer) {
        return fastAnswers.pull(answer);
    }

    private boolean drop(Packet packet) {
        qp.dropped(packet, Rule.XRC_01, "%s is not for a queue pair of type %s", packet.opcode(), qp.type());
        return true;
    }

    @Override
    public boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        return head.opcode().isRequest()
                ? answers && responder.land(head, payloadLengthBytes, place)
                : asks && qp.state() != QpState.RTR && completer.land(head, payloadLengthBytes, place);
    }

    @Override
    public boolean pullResponse(Packet packet) {
        if (qp.state() == QpState.ERR && !outbox.hasLastWords()) {
            return false;
        }
        return outbox.pull(packet);
    }

    @Override
    public boolean hasResponse() {
        return outbox.hasMore();
    }

    @Override
    public boolean hasRequest() {
        return !retransmission.isWaitingForReceiver() && requester.hasMore();
    }

    @Override
    public boolean hasNoRequest() {
        return requester.isDone();
    }

    @Override
    public boolean hasNoResponse() {
        return outbox.isEmpty();
    }

    @Override
    public boolean responseMayWait() {
        return outbox.mayWait();
    }

    @Override
    public ChoicePoint responsePoint() {
        return outbox.point();
    }

    @Override
    public boolean pullRequest(Packet packet) {
        QpState state = qp.state();
        boolean sends = state == QpState.RTS || state == QpState.SQD;
        if (!sends || retransmission.isWaitingForReceiver()) {
            return false;
        }
        boolean startsPlain = requester.startsPlain() && retransmission.isQuiet();
        boolean isPulled = requester.pull(packet, state == QpState.RTS);
        if (startsPlain && isPulled && requester.isPlain()) {
            qp.device().lane().onlySent(qp.device().name(), qp.number());
        }
        return isPulled;
    }
}
