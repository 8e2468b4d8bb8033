// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;

/**
 * Dials anew, after ever longer pauses, when the connection of a link breaks that this end dialled. It rests when the
 * link has not been wanted for a while, and goes on when it is wanted again.
 */
final class Redial extends Dial {

    private final NettyLane lane;
    private final NettyLink link;
    private final Pause pause;
    private boolean stopped;
    private boolean trying;
    private long wantedNanos;

    /** For a link that has just been connected. */
    Redial(NettyPort port, NettyLink link, InetSocketAddress address) {
        super(port, address);
        this.lane = port.lane();
        this.link = link;
        this.pause = new Pause(lane, this::begunTry);
    }

    /**
     * The connection broke.
     *
     * @param proven whether it carried packets: then the peer is there, and only one that welcomes and hangs up is made
     *     to wait longer and longer
     */
    void begin(boolean proven) {
        wantedNanos = lane.nowNanos();
        if (proven) {
            pause.shorten();
        }
        tryAfterPause();
    }

    /** Somebody wants to send although there is no connection. */
    void want() {
        wantedNanos = lane.nowNanos();
        if (!trying && !pause.isRunning()) {
            tryAfterPause();
        }
    }

    /** Never again. */
    void stop() {
        stopped = true;
        pause.stop();
    }

    @Override
    boolean isWanted() {
        return !stopped;
    }

    @Override
    boolean mayReach(Gid peer) {
        return peer.equals(link.peer());
    }

    @Override
    long ticket() {
        return link.ticket();
    }

    @Override
    Redial redialOf(NettyLink reached) {
        return reached == link ? this : new Redial(port(), reached, address());
    }

    @Override
    void succeed(NettyLink reached) {
        trying = false;
    }

    @Override
    void fail(Errno errno, String reason, Verdict.Hope hope) {
        trying = false;
        if (stopped) {
            return;
        }
        if (lane.nowNanos() - wantedNanos < port().options().redialPatienceNanos()) {
            tryAfterPause();
        } else {
            lane.log().note("dialling address=" + address() + " rests until it is wanted: " + reason);
        }
    }

    @Override
    void reachedAnother(Gid peer) {
        stop();
        lane.log()
                .warn(
                        "address=" + address() + " was dialled for gid=" + link.peer() + " but gid=" + peer
                                + " answers there now; it is not dialled again, so dial the address at which the device listens now");
    }

    private void tryAfterPause() {
        if (!stopped && port().isOpen()) {
            pause.begin();
        }
    }

    private void begunTry() {
        trying = true;
        tryOnce();
    }
}
