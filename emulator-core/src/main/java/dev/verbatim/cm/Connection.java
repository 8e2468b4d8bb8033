// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
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
import org.jspecify.annotations.Nullable;

/**
 * One connection as its connection manager sees it: its state, the message that it repeats until somebody answers, and what it
 * knows of the peer. What {@link Transitions} has it do, it does here. On the lane.
 */
final class Connection {

    /** A peer who repeats himself is asked to wait for so long: 65 s. */
    static final int SERVICE_TIMEOUT = 24;

    private final CmAgent agent;
    private final Dialogue owner;
    private final boolean active;
    private final int localId;
    private final Timer timer = new Timer();
    private ConnectionState state = ConnectionState.IDLE;

    private final Gid peer;
    private final Req request;
    private final long transactionId;
    private @Nullable Rep answer;
    private long endTransactionId;
    private boolean withdrawn;

    private Octets unanswered = Octets.EMPTY;
    private int repeatsLeft;
    private long intervalNanos;

    private Connection(
            CmAgent agent, Dialogue owner, boolean active, int localId, Gid peer, Req request, long transactionId) {
        this.agent = agent;
        this.owner = owner;
        this.active = active;
        this.localId = localId;
        this.peer = peer;
        this.request = request;
        this.transactionId = transactionId;
        this.endTransactionId = transactionId;
    }

    /** One that this side is going to ask for. */
    static Connection asking(CmAgent agent, Dialogue owner, Req request) {
        long transactionId = agent.transactionId(request.localId());
        return new Connection(
                agent, owner, true, request.localId(), request.primary().remoteGid(), request, transactionId);
    }

    /** One that a peer asked for. */
    static Connection asked(CmAgent agent, Dialogue owner, int localId, Gid peer, Req request, long transactionId) {
        Connection connection = new Connection(agent, owner, false, localId, peer, request, transactionId);
        connection.state = ConnectionState.MRA_REQ_SENT;
        agent.connections().add(connection);
        agent.connections().know(connection);
        agent.connections().countHalfOpen(1);
        return connection;
    }

    ConnectionState state() {
        return state;
    }

    int localId() {
        return localId;
    }

    Gid peer() {
        return peer;
    }

    Req request() {
        return request;
    }

    @Nullable
    Rep answer() {
        return answer;
    }

    boolean isActive() {
        return active;
    }

    /** Whether the peer asked, and the connection does not stand yet. */
    private boolean isHalfOpen() {
        return !active
                && (state == ConnectionState.MRA_REQ_SENT
                        || state == ConnectionState.REP_SENT
                        || state == ConnectionState.MRA_REP_RCVD);
    }

    /** Whether the peer gave up before the application answered. */
    boolean isWithdrawn() {
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
    Terms terms() {
        Rep known = answer;
        if (known == null) {
            throw VerbsException.of(Errno.EINVAL, "CM-18", "nothing is agreed upon yet in state %s", state);
        }
        return active ? Terms.ofActive(request, known, agent.mostIssued()) : Terms.ofPassive(request, known);
    }

    /** Whether the call makes sense in this state. */
    boolean isLegal(Stimulus call) {
        return Transitions.of(state, call).reaction() != Reaction.REFUSE;
    }

    void requireLegal(Stimulus call) {
        if (!isLegal(call)) {
            throw refused(call);
        }
    }

    /** The application calls; with what is to be sent, if it says so. */
    void on(Stimulus stimulus, CmMessage message) {
        on(stimulus, message, transactionId);
    }

    /** Something happened that brings no message. */
    void on(Stimulus stimulus) {
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
        if (transition.reaction() == Reaction.REFUSE) {
            throw refused(stimulus);
        }
        agent.decided(active ? "CM-07" : "CM-08");
        ConnectionState before = state;
        if (transition.next() != before) {
            enter(transition.next());
        }
        react(transition.reaction(), before, message, received);
    }

    private VerbsException refused(Stimulus call) {
        Errno errno = call == Stimulus.NOTIFY && state == ConnectionState.ESTABLISHED ? Errno.EISCONN : Errno.EINVAL;
        return VerbsException.of(errno, "CM-27", "%s is not legal in state %s of the connection", call, state);
    }

    private void enter(ConnectionState next) {
        timer.disarm();
        boolean wasHalfOpen = isHalfOpen();
        state = next;
        if (wasHalfOpen && !isHalfOpen()) {
            agent.connections().countHalfOpen(-1);
        }
        if (next == ConnectionState.IDLE || next == ConnectionState.TIMEWAIT) {
            agent.connections().forgetPeer(this);
            rememberRequest(null);
        }
        if (next == ConnectionState.IDLE) {
            agent.connections().remove(this);
            agent.lane().forget(timer);
        } else if (next == ConnectionState.TIMEWAIT) {
            arm(Timers.askedNanos(owner.options(), ackTimeout()));
        }
    }

    private void rememberRequest(@Nullable Octets refusal) {
        if (!active) {
            agent.ended().remember(peer, request, transactionId, refusal);
        }
    }

    /** The device is gone: nobody is told anything. */
    void drop() {
        enter(ConnectionState.IDLE);
    }

    private int ackTimeout() {
        return active && answer != null ? terms().timeout() : request.primary().ackTimeout();
    }

    private void react(Reaction reaction, ConnectionState before, @Nullable CmMessage message, long received) {
        switch (reaction) {
            case SEND_REQ -> {
                agent.connections().add(this);
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
                // To a peer who does not know yet that he was accepted, it was his request that was refused.
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
                owner.peerLeft();
            }
            default -> tell(reaction, message);
        }
    }

    private void tell(Reaction reaction, @Nullable CmMessage message) {
        switch (reaction) {
            case TELL_ANSWER -> {
                answer = (Rep) message;
                agent.connections().know(this);
                owner.answered();
            }
            case TELL_ESTABLISHED -> owner.established();
            case TELL_REJECTED -> {
                if (message instanceof Rej rej) {
                    owner.rejected(rej);
                }
            }
            case TELL_UNREACHABLE -> owner.unreachable();
            case TELL_OVER -> owner.disconnected("the peer knows that the connection is over");
            case TELL_CUT_OFF -> owner.cutOff();
            case TELL_TIMEWAIT_EXIT -> owner.timewaitOver();
            case REMEMBER_WITHDRAWN -> withdrawn = true;
            default -> {}
        }
    }

    private Dreq ending() {
        return new Dreq(localId, peerId(), peerQpn(), Octets.EMPTY);
    }

    /** The application's refusal; without one of its own, that of somebody who gives an identifier up. */
    private Rej refusal(int meant, @Nullable CmMessage message) {
        agent.decided("CM-21");
        Octets privateData = message instanceof Rej own ? own.privateData() : Octets.EMPTY;
        return new Rej(localId, peerId(), meant, RejectReason.CONSUMER_DEFINED.number(), Octets.EMPTY, privateData);
    }

    private static int refused(ConnectionState before) {
        return switch (before) {
            case MRA_REQ_SENT -> Rej.MESSAGE_REQ;
            case MRA_REP_SENT -> Rej.MESSAGE_REP;
            default -> Rej.MESSAGE_OTHER;
        };
    }

    private Rej givingUp() {
        agent.decided("CM-21");
        Octets guid = Octets.of(
                ByteBuffer.allocate(Long.BYTES).putLong(agent.port().guid()).array());
        return new Rej(localId, 0, Rej.MESSAGE_OTHER, RejectReason.TIMEOUT.number(), guid, Octets.EMPTY);
    }

    private void send(CmMessage message, long transaction) {
        agent.send(peer, message.emit(transaction));
    }

    private void sendUntilAnswered(CmMessage message, long transaction) {
        unanswered = message.emit(transaction);
        intervalNanos = active
                ? Timers.requestNanos(owner.options(), owner.lifeTime())
                : Timers.askedNanos(owner.options(), request.localResponseTimeout());
        repeatsLeft = request.maxCmRetries();
        agent.send(peer, unanswered);
        arm(intervalNanos);
    }

    private void waitLonger(Mra mra) {
        agent.decided("CM-12");
        intervalNanos = Timers.askedNanos(owner.options(), mra.serviceTimeout())
                + Timers.askedNanos(owner.options(), request.primary().ackTimeout());
        arm(intervalNanos);
    }

    private void arm(long nanos) {
        agent.lane().arm(timer, agent.lane().nowNanos() + nanos);
    }

    private void expired() {
        agent.decided("CM-12");
        if (state == ConnectionState.TIMEWAIT) {
            on(Stimulus.TIMEWAIT_OVER);
        } else if (repeatsLeft > 0) {
            repeatsLeft--;
            agent.send(peer, unanswered);
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
                agent.failed(e);
            }
        }
    }
}
