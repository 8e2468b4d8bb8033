// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmTimeout;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.SidrRep;
import dev.verbatim.wire.mad.SidrReq;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Questions for the queue pairs of datagram services, and answers to them (CM-22). On the lane. */
final class Datagrams {

    /** Q_Key of all queue pairs of port space UDP. */
    static final int QUEUE_KEY = 0x0123_4567;

    private static final int PARTITION_KEY = 0xffff;

    private final CmAgent agent;
    private final Map<Integer, Query> queries = new TreeMap<>();
    private final Map<Gid, Map<Integer, Asked>> asked = new TreeMap<>();
    private int askedCount;

    Datagrams(CmAgent agent) {
        this.agent = agent;
    }

    /** Asks a peer, and repeats that until there is an answer. */
    Query ask(Dialogue owner, Gid peer, long serviceId, Octets privateData) {
        agent.decided("CM-02");
        agent.decided("CM-03");
        agent.decided("CM-22");
        int requestId = agent.numbers().communicationId();
        SidrReq request = new SidrReq(requestId, PARTITION_KEY, serviceId, privateData);
        Query query = new Query(owner, requestId, peer, request.emit(agent.transactionId(requestId)));
        queries.put(requestId, query);
        query.send();
        return query;
    }

    void received(Gid source, SidrReq request, long transactionId) {
        Map<Integer, Asked> ofSource = asked.get(source);
        if (ofSource != null && ofSource.containsKey(request.requestId())) {
            return;
        }
        Asked question = new Asked(source, request, transactionId);
        agent.decided("CM-22");
        Listener listener = agent.listenerOf(request.serviceId());
        if (listener == null) {
            question.send(SidrRep.STATUS_SERVICE_NOT_SUPPORTED, 0, Octets.EMPTY);
        } else if (!RequestChecks.isDefaultPartition(request.partitionKey())
                || !RequestChecks.isAddressed(agent, source, IpHeader.parse(request.privateData()))) {
            question.send(SidrRep.STATUS_REJECTED, 0, Octets.EMPTY);
        } else {
            listener.requested(question);
        }
    }

    void received(Gid source, SidrRep reply) {
        Query query = queries.get(reply.requestId());
        if (query != null && query.peer.equals(source)) {
            agent.decided("CM-22");
            query.end();
            query.owner.datagramAnswered(source, reply);
        }
    }

    void carrierLost(Gid peer) {
        List<Query> lost = new ArrayList<>(queries.values());
        lost.removeIf(query -> !query.peer.equals(peer));
        for (Query query : lost) {
            query.end();
            query.owner.unreachable();
        }
    }

    /** Those that wait to be answered. */
    int askedCount() {
        return askedCount;
    }

    /** Those that wait for an answer, or to be answered. */
    int count() {
        return queries.size() + askedCount;
    }

    /** A question of this side. */
    final class Query extends LaneTimer {

        private final Dialogue owner;
        private final int requestId;
        private final Gid peer;
        private final Octets message;
        private int repeatsLeft;

        Query(Dialogue owner, int requestId, Gid peer, Octets message) {
            this.owner = owner;
            this.requestId = requestId;
            this.peer = peer;
            this.message = message;
            this.repeatsLeft = owner.options().retries();
        }

        private void send() {
            agent.send(peer, message);
            agent.lane()
                    .arm(
                            this,
                            agent.lane().nowNanos()
                                    + CmTimeout.nanos(owner.options().responseTimeout()));
        }

        @Override
        protected void expire(long nowNanos) {
            try {
                expired();
            } catch (RuntimeException | Error e) {
                agent.failed(e);
            }
        }

        private void expired() {
            agent.decided("CM-12");
            if (repeatsLeft > 0) {
                repeatsLeft--;
                send();
            } else {
                end();
                owner.unreachable();
            }
        }

        /** Nobody waits for the answer any more. */
        void end() {
            queries.remove(requestId);
            agent.lane().forget(this);
        }
    }

    /** A question of a peer, which the application is to answer. */
    final class Asked {

        private final Gid source;
        private final SidrReq request;
        private final long transactionId;
        private boolean open;

        Asked(Gid source, SidrReq request, long transactionId) {
            this.source = source;
            this.request = request;
            this.transactionId = transactionId;
        }

        Gid source() {
            return source;
        }

        SidrReq request() {
            return request;
        }

        /** It is known from now on, so that the same question is not heard twice. */
        void keep() {
            asked.computeIfAbsent(source, unused -> new TreeMap<>()).put(request.requestId(), this);
            askedCount++;
            open = true;
        }

        boolean isOpen() {
            return open;
        }

        /** Answers, once. */
        void answer(int status, int qpn, Octets privateData) {
            end();
            send(status, qpn, privateData);
        }

        private void send(int status, int qpn, Octets privateData) {
            SidrRep reply = new SidrRep(
                    request.requestId(),
                    status,
                    0,
                    qpn,
                    request.serviceId(),
                    status == SidrRep.STATUS_VALID ? QUEUE_KEY : 0,
                    Octets.EMPTY,
                    privateData);
            agent.send(source, reply.emit(transactionId));
        }

        /** Forgets it. */
        void end() {
            Map<Integer, Asked> ofSource = asked.get(source);
            if (open && ofSource != null) {
                ofSource.remove(request.requestId());
                askedCount--;
                open = false;
                if (ofSource.isEmpty()) {
                    asked.remove(source);
                }
            }
        }
    }
}
