// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmTimeout;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.SidrRep;
import dev.verbatim.wire.mad.SidrReq;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Service ID resolution: questions for the queue pairs of datagram services, and answers to them (CM-22). On the lane. */
public final class SidrExchanges {

    /** Q_Key of all queue pairs of port space UDP. */
    public static final int QUEUE_KEY = 0x0123_4567;

    private static final int PARTITION_KEY = 0xffff;

    private final CmContext context;
    private final LongFunction<@Nullable Listener> listeners;
    private final IntSupplier identifiers;
    private final Map<Integer, Query> queries = new TreeMap<>();
    private final Map<Gid, Map<Integer, Question>> asked = new TreeMap<>();
    private int askedCount;

    SidrExchanges(CmContext context, LongFunction<@Nullable Listener> listeners, IntSupplier identifiers) {
        this.context = context;
        this.listeners = listeners;
        this.identifiers = identifiers;
    }

    /**
     * Asks a peer, and repeats that until there is an answer.
     *
     * @param answered gets the answer; null if there is none, or the peer is out of reach
     */
    public Query ask(
            CmTimers timers, Consumer<@Nullable SidrRep> answered, Gid peer, long serviceId, Octets privateData) {
        context.decided(Rule.CM_02);
        context.decided(Rule.CM_03);
        context.decided(Rule.CM_22);
        int requestId = context.numbers().communicationId();
        SidrReq request = new SidrReq(requestId, PARTITION_KEY, serviceId, privateData);
        Query query = new Query(timers, answered, requestId, peer, request.emit(CmContext.transactionId(requestId)));
        queries.put(requestId, query);
        query.send();
        return query;
    }

    void received(Gid source, SidrReq request, long transactionId) {
        Map<Integer, Question> ofSource = asked.get(source);
        if (ofSource != null && ofSource.containsKey(request.requestId())) {
            return;
        }
        Question question = new Question(source, request, transactionId);
        context.decided(Rule.CM_22);
        Listener listener = listeners.apply(request.serviceId());
        if (listener == null) {
            question.send(SidrRep.STATUS_SERVICE_NOT_SUPPORTED, 0, Octets.EMPTY);
        } else if (!RequestChecks.isDefaultPartition(request.partitionKey())
                || !RequestChecks.isAddressed(context, source, IpHeader.parse(request.privateData()))) {
            question.send(SidrRep.STATUS_REJECTED, 0, Octets.EMPTY);
        } else if (listener.hasRoom(context, askedCount, identifiers.getAsInt())) {
            listener.asked(question);
        }
    }

    void received(Gid source, SidrRep reply) {
        Query query = queries.get(reply.requestId());
        if (query != null && query.peer.equals(source)) {
            context.decided(Rule.CM_22);
            query.end();
            query.answered.accept(reply);
        }
    }

    void carrierLost(Gid peer) {
        List<Query> lost = new ArrayList<>(queries.values());
        lost.removeIf(query -> !query.peer.equals(peer));
        for (Query query : lost) {
            query.end();
            query.answered.accept(null);
        }
    }

    /** Those that wait for an answer, or to be answered. */
    int count() {
        return queries.size() + askedCount;
    }

    /** A question of this side. */
    public final class Query extends LaneTimer {

        private final CmTimers timers;
        private final Consumer<@Nullable SidrRep> answered;
        private final int requestId;
        private final Gid peer;
        private final Octets message;
        private int repeatsLeft;

        private Query(CmTimers timers, Consumer<@Nullable SidrRep> answered, int requestId, Gid peer, Octets message) {
            this.timers = timers;
            this.answered = answered;
            this.requestId = requestId;
            this.peer = peer;
            this.message = message;
            this.repeatsLeft = timers.retries();
            context.lane().timerMade();
        }

        private void send() {
            context.send(peer, message);
            context.arm(this, CmTimeout.nanos(timers.responseTimeout()));
        }

        @Override
        protected void expire(long nowNanos) {
            try {
                expired();
            } catch (RuntimeException | Error e) {
                context.failed(e);
            }
        }

        private void expired() {
            context.decided(Rule.CM_12);
            if (repeatsLeft > 0) {
                repeatsLeft--;
                send();
            } else {
                end();
                answered.accept(null);
            }
        }

        /** No caller waits for the answer any more. */
        public void end() {
            queries.remove(requestId);
            context.lane().forget(this);
        }
    }

    /** A question of a peer, which the application is to answer. */
    public final class Question {

        private final Gid source;
        private final SidrReq request;
        private final long transactionId;
        private boolean open;

        private Question(Gid source, SidrReq request, long transactionId) {
            this.source = source;
            this.request = request;
            this.transactionId = transactionId;
        }

        /** The device that asks. */
        public Gid source() {
            return source;
        }

        /** What it asks. */
        public SidrReq request() {
            return request;
        }

        /** Remembers it, so that a copy of the question is ignored. */
        public void keep() {
            asked.computeIfAbsent(source, unused -> new TreeMap<>()).put(request.requestId(), this);
            askedCount++;
            open = true;
        }

        /** Whether it waits for an answer. */
        public boolean isOpen() {
            return open;
        }

        /** Answers, once. */
        public void answer(int status, int qpn, Octets privateData) {
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
            context.send(source, reply.emit(transactionId));
        }

        /** Forgets it. */
        public void end() {
            Map<Integer, Question> ofSource = asked.get(source);
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
