// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import java.util.concurrent.TimeUnit;

/**
 * A loop that the thread which made it drives, by its polls and while it waits. Others only give it work, and wake it. When
 * that thread has died nothing is carried any more, and callers serve the lane, so that devices can be taken apart.
 */
final class OwnedLoop extends LaneLoop {

    /** Sockets that are read without asking Netty are looked at by Netty this often: it sees ends, and what else there is. */
    private static final int TURNS_BETWEEN_LOOKS = 16;

    private final Thread owner = Thread.currentThread();
    private final ManualIoEventLoop loop;
    private final Runnable serve;
    private int turns;

    OwnedLoop(NettyLane lane, IoHandlerFactory sockets) {
        super(lane);
        this.serve = lane::serve;
        this.loop = new ManualIoEventLoop(owner, sockets);
    }

    @Override
    public IoEventLoop netty() {
        return loop;
    }

    @Override
    boolean isShared() {
        return false;
    }

    @Override
    boolean hasEnded() {
        return loop.isTerminated() || !owner.isAlive();
    }

    @Override
    void serveSoon() {
        if (hasEnded()) {
            serveAfterEnd(serve);
        } else if (!loop.inEventLoop()) {
            loop.wakeup();
        }
    }

    /** Does nothing: the owner looks whether something is left to do each time that it drives. */
    @Override
    void serveAfterSockets() {}

    @Override
    public void runAfterSockets(Runnable work) {
        if (loop.isShuttingDown()) {
            work.run();
        } else {
            loop.execute(work);
        }
    }

    @Override
    boolean isDrivenByCaller() {
        return loop.inEventLoop() && !loop.isTerminated();
    }

    @Override
    boolean drive() {
        if (!isDrivenByCaller()) {
            return false;
        }
        lane().serve();
        if (!lane().readDirectly() || ++turns % TURNS_BETWEEN_LOOKS == 0) {
            loop.runNow();
        }
        return true;
    }

    @Override
    boolean drive(long patienceNanos) {
        if (!isDrivenByCaller()) {
            return false;
        }
        lane().serve();
        if (lane().hasWork()) {
            loop.runNow();
        } else {
            loop.run(patienceNanos);
        }
        return true;
    }

    @Override
    public boolean closesSockets() {
        return isDrivenByCaller();
    }

    /** Ends it now if the caller is its owner, and else when the owner drives it next. */
    @Override
    public void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        while (loop.inEventLoop() && !loop.isTerminated()) {
            loop.runNow();
        }
        serveAfterEnd(serve);
    }
}
