// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.CmConnection;
import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.cm.protocol.CmTimers;
import dev.verbatim.cm.protocol.ConnectionState;
import dev.verbatim.cm.protocol.ConnectionTerms;
import dev.verbatim.cm.protocol.PathOptions;
import dev.verbatim.cm.protocol.PeerRequest;
import dev.verbatim.cm.protocol.Reaction;
import dev.verbatim.cm.protocol.SidrExchanges;
import dev.verbatim.cm.protocol.Stimulus;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.SidrRep;
import org.jspecify.annotations.Nullable;

/** The exchange of an identifier with its peer: makes messages of the application's calls, and events of the peer's messages. On the lane. */
final class CmExchange {

    /** A queue pair number where none is needed. */
    private static final int LEAST_QPN = 2;

    private final CmAgent agent;
    private final CmContext cm;
    private final Identifier identifier;
    private final CmOptions options;
    private final CmTimers timers;
    private final PathOptions path = new PathOptions();
    private final int ownPsn;
    private @Nullable CmConnection connection;

    /** How the peer ended the connection; null if it did not. */
    private @Nullable String ended;

    private SidrExchanges.@Nullable Query query;
    private SidrExchanges.@Nullable Question asked;
    private boolean answerFetched;

    CmExchange(CmAgent agent, Identifier identifier, CmOptions options) {
        this.agent = agent;
        this.cm = agent.context();
        this.identifier = identifier;
        this.options = options;
        this.timers = options.timers();
        this.ownPsn = cm.numbers().psn();
    }

    PathOptions path() {
        return path;
    }

    @Nullable
    CmConnection connection() {
        return connection;
    }

    /** A peer requests a connection. */
    void begin(PeerRequest request) {
        connection = agent.passive(timers, this::told, request);
    }

    /** A peer asks for the queue pair of a datagram service. */
    void begin(SidrExchanges.Question question) {
        asked = question;
        question.keep();
    }

    /** Whether a peer waits for the application's answer. */
    boolean isRequest() {
        CmConnection own = connection;
        SidrExchanges.Question question = asked;
        return (own != null && own.state() == ConnectionState.MRA_REQ_SENT) || (question != null && question.isOpen());
    }

    /** Requests a connection. */
    void connect(PortSpace portSpace, int sourcePort, Gid peer, int port, ConnectionParameters parameters) {
        int lifeTime = path.lifeTime(timers);
        Req req = Negotiation.request(
                cm, options, path, lifeTime, portSpace, sourcePort, peer, port, identifier.qp(), parameters);
        CmConnection own = agent.active(timers, lifeTime, this::told, req);
        connection = own;
        own.on(Stimulus.CONNECT);
    }

    /** Asks for the queue pair of a datagram service. */
    void query(int sourcePort, Gid peer, int port, ConnectionParameters parameters) {
        Octets said =
                Negotiation.privateData(parameters.privateData(), ConnectionParameters.MOST_DATAGRAM_CONNECT_BYTES);
        Octets data = IpHeader.of(sourcePort, cm.gid(), peer).emit(said);
        query = agent.sidr()
                .ask(timers, reply -> datagramAnswered(peer, reply), peer, PortSpace.UDP.serviceId(port), data);
    }

    void accept(ConnectionParameters parameters) {
        CmConnection own = connection;
        SidrExchanges.Question question = asked;
        if (question != null && question.isOpen()) {
            QueuePair pair = identifier.qp();
            Octets said =
                    Negotiation.privateData(parameters.privateData(), ConnectionParameters.MOST_DATAGRAM_ACCEPT_BYTES);
            question.answer(SidrRep.STATUS_VALID, pair != null ? pair.number() : parameters.qpNumber(), said);
            return;
        }
        if (own == null || own.isActive()) {
            throw identifier.wrongState("accept");
        }
        requireNotWithdrawn();
        if (own.state() != ConnectionState.MRA_REQ_SENT) {
            own.on(Stimulus.ACCEPT);
        }
        Rep rep = answer(own, parameters);
        QueuePair pair = identifier.qp();
        if (pair != null) {
            cm.decided(Rule.CM_18);
            QpSetup.complete(pair, cm.portNumber(), path.applied(ConnectionTerms.ofPassive(own.request(), rep)));
        }
        own.on(Stimulus.ACCEPT, rep);
    }

    private Rep answer(CmConnection own, ConnectionParameters parameters) {
        return Negotiation.answer(cm, options, own, ownPsn, identifier.qp(), parameters);
    }

    /** The terms of the connection; of a request that is not answered, those of accepting it unchanged. */
    ConnectionTerms terms(String call) {
        CmConnection own = connected(call);
        cm.decided(Rule.CM_18);
        return path.applied(
                isRequest()
                        ? ConnectionTerms.ofPassive(
                                own.request(), answer(own, ConnectionParameters.USUAL.withQpNumber(LEAST_QPN)))
                        : own.terms());
    }

    /** Refuses a call if the peer has withdrawn its request. */
    void requireNotWithdrawn() {
        CmConnection own = connection;
        if (own != null && own.isWithdrawn()) {
            throw VerbsException.of(
                    Errno.ECONNABORTED,
                    Rule.CM_08,
                    "the peer gave up before its request was answered; close the identifier");
        }
    }

    void reject(byte[] privateData, RejectReason reason) {
        CmConnection own = connection;
        SidrExchanges.Question question = asked;
        if (question != null && question.isOpen()) {
            Octets said = Negotiation.privateData(privateData, ConnectionParameters.MOST_DATAGRAM_ACCEPT_BYTES);
            question.answer(SidrRep.STATUS_REJECTED, 0, said);
            return;
        }
        if (own == null) {
            throw identifier.wrongState("reject");
        }
        Octets said = Negotiation.privateData(privateData, ConnectionParameters.MOST_REJECT_BYTES);
        requireNotWithdrawn();
        own.on(Stimulus.REJECT, new Rej(0, 0, 0, reason.number(), Octets.EMPTY, said));
    }

    void establish() {
        CmConnection own = connection;
        if (own == null || !answerFetched) {
            throw identifier.wrongState("establish");
        }
        own.on(Stimulus.ESTABLISH);
    }

    void notifyEstablished() {
        connected("notifyEstablished").on(Stimulus.NOTIFY);
    }

    void disconnect() {
        CmConnection own = connection;
        if (own == null && query == null && asked == null && !identifier.isListening()) {
            throw identifier.wrongState("disconnect");
        }
        QpSetup.fail(cm, identifier.qp(), ended == null ? "this side disconnected it" : ended);
        if (own != null && own.isLegal(Stimulus.DISCONNECT)) {
            own.on(Stimulus.DISCONNECT);
        }
    }

    private CmConnection connected(String call) {
        CmConnection own = connection;
        if (own == null) {
            throw identifier.wrongState(call);
        }
        return own;
    }

    /** The connection reports something for the program, with the message that caused it. */
    private void told(Reaction what, @Nullable CmMessage message) {
        switch (what) {
            // The program that fetches that takes the queue pair to RTS, and confirms.
            case TELL_ANSWER -> identifier.post(this::fetchAnswer);
            case TELL_ESTABLISHED -> identifier.post(CmEventType.ESTABLISHED, 0, "the peer confirms");
            case TELL_REJECTED -> {
                if (message instanceof Rej rej) {
                    rejected(rej);
                }
            }
            case TELL_WITHDRAWN -> withdrawn(message instanceof Rej rej ? rej.reason() : Rej.REASON_TIMEOUT);
            case TELL_UNREACHABLE -> unreachable();
            case TELL_PEER_LEFT -> peerLeft();
            case TELL_OVER -> disconnected("the peer has confirmed the disconnect");
            case TELL_CUT_OFF -> cutOff();
            case TELL_TIMEWAIT_EXIT -> timewaitOver();
            default -> throw new IllegalArgumentException(what + " has nothing to tell");
        }
    }

    private CmEvent fetchAnswer() {
        CmConnection own = connected("getEvent");
        Rep rep = own.answer();
        ConnectionParameters shown = rep == null ? ConnectionParameters.NONE : Negotiation.shown(rep);
        QueuePair pair = identifier.qp();
        answerFetched = true;
        cm.decided(Rule.CM_06);
        if (pair == null) {
            return identifier.event(CmEventType.CONNECT_RESPONSE, 0, shown, "the peer accepts; set up the queue pair");
        }
        try {
            own.requireLegal(Stimulus.ESTABLISH);
            cm.decided(Rule.CM_18);
            QpSetup.complete(pair, cm.portNumber(), path.applied(own.terms()));
            own.on(Stimulus.ESTABLISH);
            return identifier.event(CmEventType.ESTABLISHED, 0, shown, "the peer accepts");
        } catch (VerbsException e) {
            QpSetup.fail(cm, pair, e.refusal().toString());
            if (own.isLegal(Stimulus.REJECT)) {
                own.on(Stimulus.REJECT);
            }
            String why = e.refusal().toString();
            return identifier.event(CmEventType.CONNECT_ERROR, -e.errno().number(), ConnectionParameters.NONE, why);
        }
    }

    private void rejected(Rej rej) {
        if (identifier.isConnecting()) {
            cm.decided(Rule.CM_21);
            ConnectionParameters said =
                    ConnectionParameters.NONE.withPrivateData(rej.privateData().toBytes());
            RejectReason reason = RejectReason.of(rej.reason());
            String why = "the peer refuses: " + (reason == null ? "reason " + rej.reason() : reason.name());
            postFailure(CmEventType.REJECTED, rej.reason(), said, why);
        }
    }

    /** The peer gave up before the application answered. */
    private void withdrawn(int reason) {
        if (identifier.isConnecting()) {
            cm.decided(Rule.CM_21);
            postFailure(
                    CmEventType.REJECTED, reason, ConnectionParameters.NONE, "the peer gave up before it was answered");
        }
    }

    /** An event that, when it is fetched, takes the queue pair to ERR. */
    private void postFailure(CmEventType type, int status, ConnectionParameters said, String why) {
        identifier.post(() -> {
            QpSetup.fail(cm, identifier.qp(), why);
            return identifier.event(type, status, said, why);
        });
    }

    private void unreachable() {
        if (identifier.isConnecting()) {
            identifier.post(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), "the peer does not answer");
        }
    }

    /** The peer has ended the connection, or confirmed its end. */
    private void disconnected(String why) {
        if (identifier.isConnecting()) {
            ended = why;
            identifier.disconnected();
            identifier.post(CmEventType.DISCONNECTED, 0, why);
        }
    }

    /** The peer has ended the connection, and the options may say that it is confirmed at once. */
    private void peerLeft() {
        String why = "the peer ended the connection";
        disconnected(why);
        CmConnection own = connection;
        if (options.answersDisconnects() && own != null) {
            QpSetup.fail(cm, identifier.qp(), why);
            own.on(Stimulus.DISCONNECT);
        }
    }

    /** The peer does not answer any more. */
    private void cutOff() {
        if (identifier.isConnecting()) {
            identifier.disconnected();
            String why = "the peer does not answer any more";
            postFailure(CmEventType.DISCONNECTED, -Errno.ETIMEDOUT.number(), ConnectionParameters.NONE, why);
        }
    }

    private void timewaitOver() {
        if (identifier.isDisconnected()) {
            identifier.post(CmEventType.TIMEWAIT_EXIT, 0, "nothing of the connection is under way any more");
        }
    }

    /** The answer of a datagram service: its queue pair, or that there is none; null if there was no answer. */
    private void datagramAnswered(Gid peer, @Nullable SidrRep reply) {
        if (reply == null) {
            unreachable();
            return;
        }
        ConnectionParameters said =
                new ConnectionParameters(reply.privateData().toBytes(), 0, 0, false, 0, 0, false, reply.qpn());
        if (reply.status() != SidrRep.STATUS_VALID) {
            identifier.post(() ->
                    identifier.event(CmEventType.UNREACHABLE, reply.status(), said, "the peer has no such queue pair"));
        } else {
            AddressVector way = AddressVector.to(peer).withPort(cm.portNumber());
            identifier.post(() -> identifier.event(CmEventType.ESTABLISHED, said, reply.queueKey(), way));
        }
    }

    /** The identifier is closed. */
    void end() {
        CmConnection own = connection;
        if (own != null) {
            own.on(Stimulus.DESTROY);
        }
        SidrExchanges.Question question = asked;
        if (question != null && question.isOpen()) {
            question.answer(SidrRep.STATUS_REJECTED, 0, Octets.EMPTY);
        }
        endQuery();
    }

    private void endQuery() {
        SidrExchanges.Query question = query;
        if (question != null) {
            question.end();
        }
    }

    /** The device is gone. */
    void drop() {
        CmConnection own = connection;
        if (own != null) {
            own.drop();
        }
        SidrExchanges.Question question = asked;
        if (question != null) {
            question.end();
        }
        endQuery();
    }
}
