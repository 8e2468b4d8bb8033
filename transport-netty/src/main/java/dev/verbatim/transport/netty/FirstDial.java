// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Pause;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;

/**
 * A dial whose outcome is awaited, with a timeout. It is tried anew only where the peer's refusal may pass, and no longer than
 * that takes. All on the lane.
 */
final class FirstDial extends Dial {

    /** Remedy for a dial without a reason. */
    static final String LOOK =
            "; let the peer listen first, dial the port that its listen returned, and look into its log";

    private final Resolution outcome;
    private final Pause pause;
    private final long timeoutNanos;
    private final LaneTimer patience = new LaneTimer() {
        @Override
        protected void expire(long nowNanos) {
            giveUp();
        }
    };
    private boolean over;
    private boolean greeting;
    private int shortTries;
    private long ticket;
    private String lastReason = "it does not answer" + LOOK;

    /**
     * A dial that has not begun.
     *
     * @param timeoutNanos how long it may take
     * @param outcome receives the result, once
     */
    FirstDial(NettyPort port, InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        super(port, address);
        this.timeoutNanos = timeoutNanos;
        this.outcome = outcome;
        this.pause = new Pause(port.lane(), this::tryOnce);
    }

    void begin() {
        NettyLane lane = port().lane();
        lane.arm(patience, lane.nowNanos() + timeoutNanos);
        port().begin(this);
        tryOnce();
    }

    /** The time is over. */
    void giveUp() {
        conclude(Errno.ETIMEDOUT, "timeoutNanos=" + timeoutNanos + " are over; the last try: " + lastReason);
    }

    /** No caller waits for this dial any more. */
    void portClosed() {
        conclude(Errno.EINVAL, "the device that dials was closed");
    }

    @Override
    void greets() {
        greeting = true;
    }

    /** Whether somebody's answer to its hello is awaited. */
    boolean isGreeting() {
        return greeting;
    }

    private void wasAnswered() {
        if (greeting) {
            greeting = false;
            port().answered();
        }
    }

    @Override
    boolean isWanted() {
        return !over;
    }

    @Override
    boolean mayReach(Gid peer) {
        return !peer.equals(port().gid());
    }

    @Override
    long ticket() {
        return ticket;
    }

    @Override
    Redial redialOf(NettyLink link) {
        Redial located = port().locate(link);
        return located != null ? located : new RepeatedDial(port(), link, address()).redial();
    }

    @Override
    void succeed(NettyLink link) {
        found(link.peer());
    }

    @Override
    void fail(Errno errno, String reason, Verdict.Hope hope) {
        lastReason = reason;
        wasAnswered();
        boolean maybe = switch (hope) {
            case NONE -> false;
            case SOON -> ++shortTries < TransportLimits.MOST_SHORT_TRIES;
            case IN_TIME -> true;
        };
        if (!maybe || !port().isOpen()) {
            conclude(errno, reason);
        } else if (isWanted()) {
            pause.begin();
        }
    }

    @Override
    void refused(Hello hello) {
        if (port().isSelf(hello)) {
            found(hello.gid());
            return;
        }
        NettyLink link = port().links().at(hello.gid());
        ticket = link != null && link.isOf(hello.incarnation()) ? link.ticket() : 0;
        super.refused(hello);
    }

    private void found(Gid peer) {
        if (end()) {
            outcome.found(peer);
        }
    }

    private void conclude(Errno errno, String reason) {
        if (end()) {
            outcome.failed(VerbsException.of(errno, Rule.N_06, "dialling address=%s failed: %s", address(), reason));
        }
    }

    /** Whether it was not over before. */
    private boolean end() {
        boolean first = !over;
        over = true;
        pause.stop();
        port().end(this);
        port().lane().forget(patience);
        wasAnswered();
        return first;
    }
}
