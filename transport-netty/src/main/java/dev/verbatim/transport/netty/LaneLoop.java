// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread that drives a {@link NettyLane}: Netty's event loop, asked to serve the lane when there is something to
 * do. Its one daemon thread starts with the first work.
 */
final class LaneLoop {

    private static final long NEVER = Long.MAX_VALUE;

    private final SingleThreadIoEventLoop loop;
    private final Runnable serve;
    private final Runnable serveNext;
    private final Runnable expire;
    private final AtomicBoolean serveQueued = new AtomicBoolean();
    private final ReentrantLock afterwards = new ReentrantLock();
    private volatile @Nullable Thread thread;
    private volatile boolean ended;
    private @Nullable Future<?> wakeUp;
    private long wakeUpNanos = NEVER;

    /**
     * @param sockets looks at them
     * @param serve does what there is to do now
     * @param expire expires timers
     */
    LaneLoop(IoHandlerFactory sockets, Runnable serve, Runnable expire) {
        this.serve = () -> {
            serveQueued.set(false);
            serve.run();
        };
        this.serveNext = this::queueServe;
        this.expire = () -> {
            wakeUpNanos = NEVER;
            expire.run();
        };
        this.loop = new SingleThreadIoEventLoop(null, this::newThread, sockets);
    }

    IoEventLoop netty() {
        return loop;
    }

    /** Whether the calling thread is the loop's, or serves in its place after its end. */
    boolean isCurrent() {
        return loop.inEventLoop() || afterwards.isHeldByCurrentThread();
    }

    /** The lane is served as soon as possible. From any thread. */
    void serveSoon() {
        if (serveQueued.compareAndSet(false, true)) {
            queueServe();
        }
    }

    /** The lane is served when the sockets have been looked at. On the loop. */
    void serveAfterSockets() {
        if (!loop.isShuttingDown() && serveQueued.compareAndSet(false, true)) {
            loop.executeAfterEventLoopIteration(serveNext);
        }
    }

    /** Timers are expired at {@code deadlineNanos} or earlier. On the lane. */
    void wakeBy(long deadlineNanos, long nowNanos) {
        if (deadlineNanos >= wakeUpNanos || loop.isShuttingDown()) {
            return;
        }
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        wakeUpNanos = deadlineNanos;
        wakeUp = loop.schedule(expire, Math.max(0, deadlineNanos - nowNanos), TimeUnit.NANOSECONDS);
    }

    /** Ends the loop, and waits until its thread is gone unless the caller is the lane. */
    void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        Thread ending = thread;
        if (ending == null || ending.equals(Thread.currentThread()) || isCurrent()) {
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

    private void queueServe() {
        try {
            loop.execute(serve);
        } catch (RejectedExecutionException e) {
            serveAfterEnd();
        }
    }

    /** What the loop does not do any more, its callers do; until it has ended, whoever ends it looks after that. */
    private void serveAfterEnd() {
        if (!ended) {
            return;
        }
        afterwards.lock();
        try {
            serve.run();
        } finally {
            afterwards.unlock();
        }
    }

    private Thread newThread(Runnable run) {
        Thread fresh = new FastThreadLocalThread(() -> runToTheEnd(run), "verbatim-tcp");
        fresh.setDaemon(true);
        thread = fresh;
        return fresh;
    }

    private void runToTheEnd(Runnable run) {
        try {
            run.run();
        } finally {
            ended = true;
            serveAfterEnd();
        }
    }
}
