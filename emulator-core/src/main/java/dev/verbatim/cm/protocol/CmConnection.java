// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection: its state, the message that is repeated until it is answered, and the numbers of the peer. It does the reactions that
 * {@link Transitions} lists. On the lane.
 */
public final class CmConnection {

    /** A peer that repeats itself is asked to wait for so long: 65 s. */
    private static final int SERVICE_TIMEOUT = 24;

    private final CmContext context;
    private final ConnectionTable connections;
    private final EndedRequests ended;
    private final CmTimers timers;

    /** How long the peer may take for an answer. */
    private final long answerNanos;

    private final BiConsumer<Reaction, @Nullable CmMessage> owner;

    /** The request that a peer made; null if this side asks. */
    private final @Nullable PeerRequest asked;

    private final boolean active;
    private final int localId;
    private final Gid peer;
    private final Req request;
    private final long transactionId;
    private final Timer timer = new Timer();
    private ConnectionState state;
    private @Nullable Rep answer;
    private long endTransactionId;
    private boolean withdrawn;

    private Octets unanswered = Octets.EMPTY;
    private int repeatsLeft;
    private long intervalNanos;

    private CmConnection(
            CmContext context,
            ConnectionTable connections,
            EndedRequests ended,
            CmTimers timers,
            long answerNanos,
            BiConsumer<Reaction, @Nullable CmMessage> owner,
            int localId,
            Req request,
            @Nullable PeerRequest asked) {
        this.context = context;
        this.connections = connections;
        this.ended = ended;
        this.timers = timers;
        this.answerNanos = answerNanos;
        this.owner = owner;
        this.localId = localId;
        this.request = request;
        this.asked = asked;
        this.active = asked == null;
        this.peer = asked == null ? request.primary().remoteGid() : asked.source();
        this.transactionId = asked == null ? CmContext.transactionId(localId) : asked.transactionId();
        this.endTransactionId = transactionId;
        this.state = active ? ConnectionState.IDLE : ConnectionState.MRA_REQ_SENT;
        context.lane().timerMade();
    }

    /** One that this side is going to ask for. */
    static CmConnection active(
            CmContext context,
            ConnectionTable connections,
            EndedRequests ended,
            CmTimers timers,
            int lifeTime,
            BiConsumer<Reaction, @Nullable CmMessage> owner,
            Req request) {
        long answerNanos = timers.requestNanos(lifeTime);
        return new CmConnection(
                context, connections, ended, timers, answerNanos, owner, request.localId(), request, null);
    }

    /** One that a peer asked for. */
    static CmConnection passive(
            CmContext context,
            ConnectionTable connections,
            EndedRequests ended,
            CmTimers timers,
            BiConsumer<Reaction, @Nullable CmMessage> owner,
            PeerRequest asked) {
        Req request = asked.request();
        long answerNanos = timers.askedNanos(request.localResponseTimeout());
        int localId = context.numbers().communicationId();
        CmConnection connection =
                new CmConnection(context, connections, ended, timers, answerNanos, owner, localId, request, asked);
        connections.add(connection);
        connections.know(connection);
        connections.countHalfOpen(1);
        return connection;
    }

    /** Its state. */
    public ConnectionState state() {
        return state;
    }

    /** This side's communication ID. */
    public int localId() {
        return localId;
    }

    Gid peer() {
        return peer;
    }

    /** What was asked for. */
    public Req request() {
        return request;
    }

    /** The answer of the side that was asked; null before it is there. */
    public @Nullable Rep answer() {
        return answer;
    }

    /** Whether this side asked for it. */
    public boolean isActive() {
        return active;
    }

    /** Whether the peer requested it, and it is not established yet. */
    private boolean isHalfOpen() {
        return !active
                && (state == ConnectionState.MRA_REQ_SENT
                        || state == ConnectionState.REP_SENT
                        || state == ConnectionState.MRA_REP_RCVD);
    }

    /** Whether the peer gave up before the application answered. */
    public boolean isWithdrawn() {
        return withdrawn;
    }

    /** Whether the peer's number of this connection is known. */
    boolean knowsPeer() {
        return !active || answer != null;
    }

    int peerId() {
        Rep known = answer;
        return !active ? request.localId() : known != null ? known.localId() : 0;
    }

    long peerGuid() {
        Rep known = answer;
        return !active ? request.localCaGuid() : known != null ? known.localCaGuid() : 0;
    }

    int peerQpn() {
        Rep known = answer;
        return !active ? request.localQpn() : known != null ? known.localQpn() : 0;
    }

    /** Number of this side's queue pair. */
    int ownQpn() {
        Rep known = answer;
        return active ? request.localQpn() : known != null ? known.localQpn() : 0;
    }

    /** What was agreed upon. */
    public ConnectionTerms terms() {
        Rep known = answer;
        if (known == null) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_18, "nothing is agreed upon yet in state %s", state);
        }
        return active
                ? ConnectionTerms.ofActive(request, known, context.mostIssued())
                : ConnectionTerms.ofPassive(request, known);
    }

    /** Whether the call makes sense in this state. */
    public boolean isLegal(Stimulus call) {
        return Transitions.of(state, call).reaction() != Reaction.REFUSE;
    }

    /** Refuses a call that makes no sense in this state, with EINVAL (CM-27). */
    public void requireLegal(Stimulus call) {
        if (!isLegal(call)) {
            throw refused(call);
        }
    }

    /** A call of the application, with the message to be sent. */
    public void on(Stimulus stimulus, CmMessage message) {
        on(stimulus, message, transactionId);
    }

    /** Something happened that brings no message. */
    public void on(Stimulus stimulus) {
        on(stimulus, null, transactionId);
    }

    /**
     * Something happened.
     *
     * @param message that came with it, or is to be sent
     * @param received transaction ID of a message that came
     * @throws VerbsException EINVAL if it is a call that makes no sense in this state
     */
    void on(Stimulus stimulus, @Nullable CmMessage message, long received) {
        Transitions.Transition transition = Transitions.of(state, stimulus);
        Reaction reaction = transition.reaction();
        ConnectionState next = transition.next();
        if (reaction == Reaction.REFUSE) {
            throw refused(stimulus);
        }
        context.decided(active ? Rule.CM_07 : Rule.CM_08);
        ConnectionState before = state;
        if (next != before) {
            enter(next);
        }
        react(reaction, before, message, received);
    }

    private VerbsException refused(Stimulus call) {
        Errno errno = call == Stimulus.NOTIFY && state == ConnectionState.ESTABLISHED ? Errno.EISCONN : Errno.EINVAL;
        return VerbsException.of(errno, Rule.CM_27, "%s is not legal in state %s of the connection", call, state);
    }

    private void enter(ConnectionState next) {
        timer.disarm();
        boolean wasHalfOpen = isHalfOpen();
        state = next;
        if (wasHalfOpen && !isHalfOpen()) {
            connections.countHalfOpen(-1);
        }
        if (next == ConnectionState.IDLE || next == ConnectionState.TIMEWAIT) {
            connections.forgetPeer(this);
            rememberRequest(null);
        }
        if (next == ConnectionState.IDLE) {
            connections.remove(this);
            context.lane().forget(timer);
        } else if (next == ConnectionState.TIMEWAIT) {
            arm(timers.askedNanos(ackTimeout()));
        }
    }

    private void rememberRequest(@Nullable Octets refusal) {
        if (asked != null) {
            ended.remember(asked, refusal);
        }
    }

    /**
     * The peer is gone, and has not said so: what follows is as if its system had ended its identifiers, as Linux does for a program
     * that was killed.
     */
    void peerGone() {
        switch (state) {
            case ESTABLISHED -> on(Stimulus.DREQ);
            case DREQ_SENT -> on(Stimulus.DREP);
            case MRA_REQ_SENT -> on(Stimulus.REJ, endedBy(Rej.REASON_TIMEOUT));
            default -> on(Stimulus.REJ, endedBy(Rej.REASON_CONSUMER_DEFINED));
        }
    }

    private Rej endedBy(int reason) {
        return new Rej(peerId(), localId, Rej.MESSAGE_OTHER, reason, Octets.EMPTY, Octets.EMPTY);
    }

    /** The device is gone: forgets the connection without a message or an event. */
    public void drop() {
        enter(ConnectionState.IDLE);
    }

    private int ackTimeout() {
        return active && answer != null ? terms().timeout() : request.primary().ackTimeout();
    }

    private void react(Reaction reaction, ConnectionState before, @Nullable CmMessage message, long received) {
        switch (reaction) {
            case SEND_REQ -> {
                connections.add(this);
                sendUntilAnswered(request, transactionId);
            }
            case SEND_REP -> {
                answer = (Rep) message;
                if (message != null) {
                    sendUntilAnswered(message, transactionId);
                }
            }
            case SEND_RTU, REPEAT_RTU -> send(new Rtu(localId, peerId(), Octets.EMPTY), transactionId);
            case SEND_MRA ->
                send(
                        new Mra(
                                localId,
                                peerId(),
                                active ? Mra.MESSAGE_REP : Mra.MESSAGE_REQ,
                                SERVICE_TIMEOUT,
                                Octets.EMPTY),
                        transactionId);
            case SEND_REJ -> {
                // A peer that does not know yet that it was accepted takes it as a rejection of its request.
                rememberRequest(refusal(Rej.MESSAGE_REQ, message).emit(transactionId));
                send(refusal(refused(before), message), transactionId);
            }
            case GIVE_UP -> send(givingUp(), transactionId);
            case SEND_DREQ -> sendUntilAnswered(ending(), transactionId);
            case SEND_LAST_DREQ -> send(ending(), transactionId);
            case SEND_DREP, REPEAT_DREP -> send(new Drep(localId, peerId(), Octets.EMPTY), endTransactionId);
            case WAIT_LONGER -> {
                if (message instanceof Mra mra) {
                    waitLonger(mra);
                }
            }
            case TELL_PEER_LEFT -> {
                endTransactionId = received;
                owner.accept(reaction, message);
            }
            case TELL_ANSWER -> {
                answer = (Rep) message;
                connections.know(this);
                owner.accept(reaction, message);
            }
            case TELL_WITHDRAWN -> {
                withdrawn = true;
                owner.accept(reaction, message);
            }
            case NOTHING, REFUSE -> {}
            default -> owner.accept(reaction, message);
        }
    }

    private Dreq ending() {
        return new Dreq(localId, peerId(), peerQpn(), Octets.EMPTY);
    }

    /** The rejection with the application's reason and private data; without data if the identifier is closed. */
    private Rej refusal(int meant, @Nullable CmMessage message) {
        context.decided(Rule.CM_21);
        if (message instanceof Rej own) {
            return new Rej(localId, peerId(), meant, own.reason(), Octets.EMPTY, own.privateData());
        }
        return new Rej(localId, peerId(), meant, Rej.REASON_CONSUMER_DEFINED, Octets.EMPTY, Octets.EMPTY);
    }

    private static int refused(ConnectionState before) {
        return switch (before) {
            case MRA_REQ_SENT -> Rej.MESSAGE_REQ;
            case MRA_REP_SENT -> Rej.MESSAGE_REP;
            default -> Rej.MESSAGE_OTHER;
        };
    }

    private Rej givingUp() {
        context.decided(Rule.CM_21);
        Octets guid = Octets.of(
                ByteBuffer.allocate(Long.BYTES).putLong(context.port().guid()).array());
        return new Rej(localId, 0, Rej.MESSAGE_OTHER, Rej.REASON_TIMEOUT, guid, Octets.EMPTY);
    }

    private void send(CmMessage message, long transaction) {
        context.send(peer, message.emit(transaction));
    }

    private void sendUntilAnswered(CmMessage message, long transaction) {
        unanswered = message.emit(transaction);
        intervalNanos = answerNanos;
        repeatsLeft = request.maxCmRetries();
        context.send(peer, unanswered);
        arm(intervalNanos);
    }

    private void waitLonger(Mra mra) {
        context.decided(Rule.CM_12);
        intervalNanos = timers.askedNanos(mra.serviceTimeout())
                + timers.askedNanos(request.primary().ackTimeout());
        arm(intervalNanos);
    }

    private void arm(long nanos) {
        context.arm(timer, nanos);
    }

    private void expired() {
        context.decided(Rule.CM_12);
        if (state == ConnectionState.TIMEWAIT) {
            on(Stimulus.TIMEWAIT_OVER);
        } else if (repeatsLeft > 0) {
            repeatsLeft--;
            context.send(peer, unanswered);
            arm(intervalNanos);
        } else {
            on(Stimulus.NO_ANSWER);
        }
    }

    /** The one timer: of what is repeated, or of TIMEWAIT. */
    private final class Timer extends LaneTimer {
        @Override
        protected void expire(long nowNanos) {
            try {
                expired();
            } catch (RuntimeException | Error e) {
                context.failed(e);
            }
        }
    }
}
