// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Pause;
import java.util.function.BooleanSupplier;

/**
 * When a link is dialled anew whose connection broke and that this end dialled: after ever longer pauses. It rests when the
 * link has not been wanted for a while, and goes on when it is wanted again. All on the lane.
 */
public final class Redial {

    private final NettyLane lane;
    private final long patienceNanos;
    private final BooleanSupplier open;
    private final Runnable dial;

    /** Whether the peer says where it is: then it is dialled when the link is wanted, whoever dialled before, and at once. */
    private final boolean whenWanted;

    private final Pause pause;
    private boolean stopped;
    private boolean trying;
    private boolean failing;
    private long wantedNanos;

    /**
     * For a link that has just been connected.
     *
     * @param patienceNanos for how long after the link was last wanted it is dialled
     * @param open whether the device is still there to dial
     * @param dial dials once; {@link #succeeded} or {@link #restsAfterFailure} follows
     */
    public Redial(NettyLane lane, long patienceNanos, BooleanSupplier open, Runnable dial) {
        this(lane, patienceNanos, open, dial, false);
    }

    private Redial(NettyLane lane, long patienceNanos, BooleanSupplier open, Runnable dial, boolean whenWanted) {
        this.whenWanted = whenWanted;
        this.lane = lane;
        this.patienceNanos = patienceNanos;
        this.open = open;
        this.dial = dial;
        this.pause = new Pause(lane, this::begunTry);
    }

    /** For a link that may never have been connected, and whose peer's GID says where to dial. */
    public static Redial whenWanted(NettyLane lane, long patienceNanos, BooleanSupplier open, Runnable dial) {
        return new Redial(lane, patienceNanos, open, dial, true);
    }

    /** Whether it dials when the link is wanted, whoever dialled before. */
    boolean isWhenWanted() {
        return whenWanted;
    }

    /** Whether what is to be sent waits for a dial that is under way. */
    boolean isAwaited() {
        return whenWanted && trying && !stopped;
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

    /** A packet is to be sent although there is no connection. */
    void want() {
        wantedNanos = lane.nowNanos();
        if (trying || pause.isRunning()) {
            return;
        }
        if (whenWanted && !failing && !stopped && open.getAsBoolean()) {
            begunTry();
        } else {
            tryAfterPause();
        }
    }

    /** Never again. */
    public void stop() {
        stopped = true;
        pause.stop();
    }

    public boolean isStopped() {
        return stopped;
    }

    /** The link has a connection. */
    public void succeeded() {
        trying = false;
        failing = false;
    }

    /** A dial failed that will go on failing; none follows until the link is wanted again. Whether that makes a difference. */
    public boolean restAfterFailure() {
        trying = false;
        failing = true;
        return !stopped;
    }

    /** A dial failed; whether no other follows until the link is wanted again. */
    public boolean restsAfterFailure() {
        trying = false;
        failing = true;
        boolean wanted = lane.nowNanos() - wantedNanos < patienceNanos;
        if (wanted) {
            tryAfterPause();
        }
        return !wanted && !stopped;
    }

    private void tryAfterPause() {
        if (!stopped && open.getAsBoolean()) {
            pause.begin();
        }
    }

    private void begunTry() {
        trying = true;
        dial.run();
    }
}
