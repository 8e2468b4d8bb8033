// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.SidrRep;
import org.jspecify.annotations.Nullable;

/**
 * What an identifier and its peer say to each other: makes messages of the application's calls, and events of the peer's messages.
 * On the lane.
 */
final class Dialogue {

    /** Stands for a queue pair that nobody asks about. */
    private static final int LEAST_QPN = 2;

    private final CmAgent agent;
    private final Identifier identifier;
    private final CmOptions options;
    private final PathOptions path = new PathOptions();
    private final int ownPsn;
    private @Nullable Connection connection;
    private Datagrams.@Nullable Query query;
    private Datagrams.@Nullable Asked asked;
    private boolean answerFetched;

    Dialogue(CmAgent agent, Identifier identifier, CmOptions options) {
        this.agent = agent;
        this.identifier = identifier;
        this.options = options;
        this.ownPsn = agent.numbers().psn();
    }

    CmOptions options() {
        return options;
    }

    PathOptions path() {
        return path;
    }

    /** Code of the packet life time. */
    int lifeTime() {
        return path.lifeTime(options);
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    /** A peer asks for a connection. */
    void begin(Gid source, Req req, long transactionId) {
        connection = Connection.asked(agent, this, agent.numbers().communicationId(), source, req, transactionId);
    }

    /** A peer asks for a queue pair. */
    void begin(Datagrams.Asked question) {
        asked = question;
        question.keep();
    }

    /** Whether a peer waits for the application's answer. */
    boolean isRequest() {
        Connection own = connection;
        Datagrams.Asked question = asked;
        return (own != null && own.state() == ConnectionState.MRA_REQ_SENT) || (question != null && question.isOpen());
    }

    /** Asks for a connection. */
    void connect(int sourcePort, Gid peer, int port, ConnectionParameters parameters) {
        Req req = Negotiation.request(agent, options, path, sourcePort, peer, port, identifier.qp(), parameters);
        Connection own = Connection.asking(agent, this, req);
        connection = own;
        own.on(Stimulus.CONNECT);
    }

    /** Asks for a queue pair. */
    void query(int sourcePort, Gid peer, int port, ConnectionParameters parameters) {
        Octets said =
                Negotiation.privateData(parameters.privateData(), ConnectionParameters.MOST_DATAGRAM_CONNECT_BYTES);
        Octets data = IpHeader.of(sourcePort, agent.gid(), peer).emit(said);
        query = agent.datagrams().ask(this, peer, PortSpace.UDP.serviceId(port), data);
    }

    void accept(ConnectionParameters parameters) {
        Connection own = connection;
        Datagrams.Asked question = asked;
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
            agent.decided("CM-18");
            QpSetup.complete(pair, Terms.ofPassive(own.request(), rep));
        }
        own.on(Stimulus.ACCEPT, rep);
    }

    private Rep answer(Connection own, ConnectionParameters parameters) {
        return Negotiation.answer(agent, options, own, ownPsn, identifier.qp(), parameters);
    }

    /** What is agreed upon; of a request what would be if it were accepted as it is. */
    Terms terms(String call) {
        Connection own = connected(call);
        agent.decided("CM-18");
        return isRequest()
                ? Terms.ofPassive(own.request(), answer(own, ConnectionParameters.USUAL.qpNumber(LEAST_QPN)))
                : own.terms();
    }

    /** Refuses what comes too late for a peer who gave up. */
    void requireNotWithdrawn() {
        Connection own = connection;
        if (own != null && own.isWithdrawn()) {
            throw VerbsException.of(
                    Errno.ECONNABORTED,
                    "CM-08",
                    "the peer gave up before its request was answered; close the identifier");
        }
    }

    void reject(byte[] privateData) {
        Connection own = connection;
        Datagrams.Asked question = asked;
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
        own.on(Stimulus.REJECT, new Rej(0, 0, 0, 0, Octets.EMPTY, said));
    }

    void establish() {
        Connection own = connection;
        if (own == null || !answerFetched) {
            throw identifier.wrongState("establish");
        }
        own.on(Stimulus.ESTABLISH);
    }

    void notifyEstablished() {
        connected("notifyEstablished").on(Stimulus.NOTIFY);
    }

    void disconnect() {
        Connection own = connected("disconnect");
        own.requireLegal(Stimulus.DISCONNECT);
        QpSetup.fail(identifier.qp());
        own.on(Stimulus.DISCONNECT);
    }

    private Connection connected(String call) {
        Connection own = connection;
        if (own == null) {
            throw identifier.wrongState(call);
        }
        return own;
    }

    /** The peer accepts: whoever fetches that takes the queue pair to RTS, and confirms. */
    void answered() {
        identifier.post(this::fetchAnswer);
    }

    private CmEvent fetchAnswer() {
        Connection own = connected("getEvent");
        Rep rep = own.answer();
        ConnectionParameters shown = rep == null ? ConnectionParameters.NONE : Negotiation.shown(rep);
        QueuePair pair = identifier.qp();
        answerFetched = true;
        agent.decided("CM-06");
        if (pair == null) {
            return identifier.event(CmEventType.CONNECT_RESPONSE, 0, shown, "the peer accepts; set up the queue pair");
        }
        try {
            own.requireLegal(Stimulus.ESTABLISH);
            agent.decided("CM-18");
            QpSetup.complete(pair, own.terms());
            own.on(Stimulus.ESTABLISH);
            return identifier.event(CmEventType.ESTABLISHED, 0, shown, "the peer accepts");
        } catch (VerbsException e) {
            QpSetup.fail(pair);
            if (own.isLegal(Stimulus.REJECT)) {
                own.on(Stimulus.REJECT);
            }
            String why = e.refusal().toString();
            return identifier.event(CmEventType.CONNECT_ERROR, -e.errno().number(), ConnectionParameters.NONE, why);
        }
    }

    void established() {
        identifier.post(CmEventType.ESTABLISHED, 0, "the peer confirms");
    }

    void rejected(Rej rej) {
        if (identifier.isConnecting()) {
            agent.decided("CM-21");
            ConnectionParameters said =
                    ConnectionParameters.NONE.privateData(rej.privateData().toBytes());
            RejectReason reason = RejectReason.of(rej.reason());
            String why = "the peer refuses: " + (reason == null ? "reason " + rej.reason() : reason.name());
            postFailure(CmEventType.REJECTED, rej.reason(), said, why);
        }
    }

    /** An event that, when it is fetched, takes the queue pair to ERR. */
    private void postFailure(CmEventType type, int status, ConnectionParameters said, String why) {
        identifier.post(() -> {
            QpSetup.fail(identifier.qp());
            return identifier.event(type, status, said, why);
        });
    }

    void unreachable() {
        if (identifier.isConnecting()) {
            identifier.post(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), "the peer does not answer");
        }
    }

    /** The peer has ended the connection, or knows that it is over. */
    void disconnected(String why) {
        if (identifier.isConnecting()) {
            identifier.disconnected();
            identifier.post(CmEventType.DISCONNECTED, 0, why);
        }
    }

    /** The same if it is this side's manager who answers him. */
    void peerLeft() {
        disconnected("the peer ended the connection");
        Connection own = connection;
        if (options.answersDisconnects() && own != null) {
            QpSetup.fail(identifier.qp());
            own.on(Stimulus.DISCONNECT);
        }
    }

    /** The peer does not answer any more. */
    void cutOff() {
        if (identifier.isConnecting()) {
            identifier.disconnected();
            String why = "the peer does not answer any more";
            postFailure(CmEventType.DISCONNECTED, -Errno.ETIMEDOUT.number(), ConnectionParameters.NONE, why);
        }
    }

    void timewaitOver() {
        if (identifier.isDisconnected()) {
            identifier.post(CmEventType.TIMEWAIT_EXIT, 0, "nothing of the connection is under way any more");
        }
    }

    /** The peer has told its queue pair, or that there is none. */
    void datagramAnswered(Gid peer, SidrRep reply) {
        ConnectionParameters said =
                new ConnectionParameters(reply.privateData().toBytes(), 0, 0, false, 0, 0, false, reply.qpn());
        if (reply.status() != SidrRep.STATUS_VALID) {
            identifier.post(() ->
                    identifier.event(CmEventType.UNREACHABLE, reply.status(), said, "the peer has no such queue pair"));
        } else {
            identifier.post(
                    () -> identifier.event(CmEventType.ESTABLISHED, said, reply.queueKey(), AddressVector.to(peer)));
        }
    }

    /** The identifier is given up. */
    void end() {
        Connection own = connection;
        if (own != null) {
            own.on(Stimulus.DESTROY);
        }
        Datagrams.Asked question = asked;
        if (question != null && question.isOpen()) {
            question.answer(SidrRep.STATUS_REJECTED, 0, Octets.EMPTY);
        }
        endQuery();
    }

    private void endQuery() {
        Datagrams.Query question = query;
        if (question != null) {
            question.end();
        }
    }

    /** The device is gone. */
    void drop() {
        Connection own = connection;
        if (own != null) {
            own.drop();
        }
        Datagrams.Asked question = asked;
        if (question != null) {
            question.end();
        }
        endQuery();
    }
}
