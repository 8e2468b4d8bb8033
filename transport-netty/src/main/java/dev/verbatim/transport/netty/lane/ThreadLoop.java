// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A loop with a daemon thread of its own, which starts with the first work and parks when there is none. Programs that post or poll
 * drive the lane as well, each on its own thread.
 */
public final class ThreadLoop extends LaneLoop {

    private final SingleThreadIoEventLoop loop;
    private final Runnable serve;
    private final Runnable serveNext;
    private final AtomicBoolean serveQueued = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean ended;

    ThreadLoop(NettyLane lane, IoHandlerFactory sockets, Polling polling) {
        super(lane);
        this.serve = () -> {
            serveQueued.set(false);
            lane.serve();
        };
        this.serveNext = () -> execute(serve);
        this.loop = new SingleThreadIoEventLoop(
                null, this::newThread, executor -> new SharedHandler(lane, polling, sockets.newHandler(executor)));
    }

    @Override
    public IoEventLoop netty() {
        return loop;
    }

    @Override
    boolean isShared() {
        return true;
    }

    @Override
    boolean hasEnded() {
        return ended;
    }

    /** Whether it has had any work. */
    public boolean hasStarted() {
        return thread != null;
    }

    @Override
    void serveSoon() {
        if (serveQueued.compareAndSet(false, true)) {
            execute(serve);
        }
    }

    @Override
    void serveAfterSockets() {
        if (!loop.inEventLoop()) {
            serveSoon();
        } else if (!loop.isShuttingDown() && serveQueued.compareAndSet(false, true)) {
            loop.executeAfterEventLoopIteration(serveNext);
        }
    }

    @Override
    public void runAfterSockets(Runnable work) {
        if (loop.isShuttingDown()) {
            work.run();
        } else {
            loop.executeAfterEventLoopIteration(() -> execute(work));
        }
    }

    @Override
    boolean isDrivenByCaller() {
        return false;
    }

    @Override
    boolean drive() {
        return false;
    }

    @Override
    boolean drive(long patienceNanos) {
        return false;
    }

    @Override
    public boolean closesSockets() {
        return !loop.isShuttingDown();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        Thread ending = thread;
        if (ending == null || ending.equals(Thread.currentThread()) || lane().isCurrent()) {
            return;
        }
        boolean interrupted = false;
        while (ending.isAlive()) {
            try {
                ending.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread newThread(Runnable run) {
        Thread fresh = new FastThreadLocalThread(() -> runToTheEnd(run), "verbatim-" + lane().carrier());
        fresh.setDaemon(true);
        thread = fresh;
        return fresh;
    }

    private void runToTheEnd(Runnable run) {
        try {
            run.run();
        } finally {
            ended = true;
            serveAfterEnd(serve);
        }
    }
}
