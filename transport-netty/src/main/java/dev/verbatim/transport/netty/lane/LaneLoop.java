// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import io.netty.channel.IoEventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What drives a {@link NettyLane}: Netty's event loop, asked to serve the lane when there is something to do. When it has
 * ended, callers serve the lane themselves.
 */
public abstract class LaneLoop {

    private static final long NEVER = Long.MAX_VALUE;

    private final NettyLane lane;
    private final Runnable expire;
    private @Nullable Future<?> wakeUp;
    private long wakeUpNanos = NEVER;

    LaneLoop(NettyLane lane) {
        this.lane = lane;
        this.expire = lane::expireTimers;
    }

    public abstract IoEventLoop netty();

    /** The lane is served as soon as possible. From any thread. */
    abstract void serveSoon();

    /** The lane is served when the sockets have been looked at. On the loop. */
    abstract void serveAfterSockets();

    /**
     * Runs work when the sockets have been looked at once more. Only then has a selector let go of those that were closed before.
     * From any thread.
     */
    public abstract void runAfterSockets(Runnable work);

    /** Whether any thread may drive the lane and write to sockets, and not only one that is the loop's. */
    abstract boolean isShared();

    /** Whether it is the calling thread's business to drive the loop. */
    abstract boolean isDrivenByCaller();

    /** Lets the calling thread drive the loop if that is its business; whether it is. */
    abstract boolean drive();

    /** The same, and parks until there is something to do, or for so long. */
    abstract boolean drive(long patienceNanos);

    /** Whether sockets that are to be closed will be, by a thread of the loop's own or by the calling one while it waits. */
    public abstract boolean closesSockets();

    /** Ends the loop, and waits until it has ended unless the caller is the lane. */
    public abstract void close();

    /** Whether callers have to serve the lane themselves, since its thread has ended. */
    abstract boolean hasEnded();

    final NettyLane lane() {
        return lane;
    }

    /** Whether the calling thread is the loop's, or serves in its place after its end. */
    final boolean isDriver() {
        return netty().inEventLoop() || hasEnded();
    }

    /** Timers are about to be expired, so nothing is agreed about the next time. On the lane. */
    final void hasWoken() {
        wakeUpNanos = NEVER;
    }

    /** Timers are expired at {@code deadlineNanos} or earlier. On the lane. */
    final void wakeBy(long deadlineNanos, long nowNanos) {
        if (deadlineNanos >= wakeUpNanos || netty().isShuttingDown()) {
            return;
        }
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        wakeUpNanos = deadlineNanos;
        wakeUp = netty().schedule(expire, Math.max(0, deadlineNanos - nowNanos), TimeUnit.NANOSECONDS);
    }

    /** Runs work on the loop, or what there is to do in its place if it has ended. */
    final void execute(Runnable serve) {
        try {
            netty().execute(serve);
        } catch (RejectedExecutionException e) {
            serveAfterEnd(serve);
        }
    }

    /** Callers do what the loop does not do any more; until it has ended, the thread that ends it does. */
    final void serveAfterEnd(Runnable serve) {
        if (hasEnded()) {
            serve.run();
        }
    }
}
