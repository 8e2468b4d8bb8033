// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.group.ChannelGroupFuture;

/**
 * The end of a port. From its beginning on nothing is received; what links were asked to send is sent, until the sockets have
 * taken it or the time for that is over, and then the sockets are closed.
 */
final class PortClosing extends WaitPoint {

    private final NettyPort port;
    private final LaneTimer timer = new LaneTimer() {
        @Override
        protected void expire(long nowNanos) {
            end();
        }
    };
    private boolean begun;
    private boolean ended;
    private boolean over;

    PortClosing(NettyPort port) {
        this.port = port;
    }

    /** On the lane; nothing happens the second time. */
    void begin() {
        if (begun) {
            return;
        }
        begun = true;
        port.shut();
        NettyLane lane = port.lane();
        lane.arm(timer, lane.nowNanos() + port.options().closeTimeoutNanos());
        port.links().finishAll(this::end);
        port.sockets().closeAllBut(port.links()::areServedBy);
    }

    /** What has not been sent by now is lost; it is over when the loop has closed the sockets, so that others may listen there. On the lane. */
    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        port.lane().forget(timer);
        port.sever();
        ChannelGroupFuture closing = port.sockets().closeAll();
        closing.addListener(closed -> port.lane().loop().runAfterSockets(this::signalOver));
    }

    private synchronized void signalOver() {
        over = true;
        signal();
    }

    @Override
    protected boolean ready() {
        return over;
    }

    /**
     * Waits until it is over, also through interrupts, which the thread keeps; not on the lane, where nothing waits. A socket of
     * io_uring is closed only when the loop has seen the end of what was being written, and its buffers are given back then.
     */
    void await() {
        NettyLane lane = port.lane();
        if (lane.isCurrent()) {
            return;
        }
        long endNanos = lane.clock().nanoTime() + port.options().closeTimeoutNanos();
        boolean interrupted = Thread.interrupted();
        boolean waits = true;
        while (waits) {
            try {
                long leftNanos = endNanos - lane.clock().nanoTime();
                waits = !lane.await(this, leftNanos > 0 ? leftNanos : TransportLimits.LONGEST_PARK_NANOS);
                if (waits) {
                    // The timer runs on a loop, which may not run any more.
                    lane.call(this::end);
                    waits = lane.loop().closesSockets();
                }
            } catch (VerbsException e) {
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
