// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.unix.FileDescriptor;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Netty's handler of a loop whose lane programs drive as well. While they do, the loop sleeps for {@linkplain SleepTime short times} and
 * looks at its sockets in between, without waiting for them; otherwise it waits for its sockets as usual, when none has been ready for a moment. What the loop does with a socket that is ready it does
 * alone on the lane; while others are on it, the socket stays ready, and the loop comes back to it.
 */
final class SharedHandler implements IoHandler {

    /** A sleep in which a program may post what held back acknowledgements are to leave with. */
    private static final long SHORT_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** A socket that was ready a moment ago is likely to be so again soon; a thread that waits for it takes that long to wake up. */
    private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final NettyLane lane;
    private final Polling polling;
    private final IoHandler sockets;
    private final SleepTime sleep = new SleepTime();

    /** Whether the loop found something to do after its last sleep that programs had not done. */
    private boolean needed;

    private long readyNanos = System.nanoTime() - LINGER_NANOS;
    private @Nullable Looking looking;
    private volatile @Nullable Thread sleeper;

    SharedHandler(NettyLane lane, Polling polling, IoHandler sockets) {
        this.lane = lane;
        this.polling = polling;
        this.sockets = sockets;
    }

    @Override
    public void initialize() {
        sleeper = Thread.currentThread();
        sockets.initialize();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding makes nothing right; it makes a busy machine fair
    public int run(IoHandlerContext context) {
        if (!context.canBlock()) {
            return sockets.run(context);
        }
        boolean heldBack = lane.heldBack().isPending();
        if (heldBack || polling.isGoingOn()) {
            int times = lane.heldBack().times();
            long nanos = Math.min(heldBack ? SHORT_SLEEP_NANOS : sleep.nanos(), context.delayNanos(System.nanoTime()));
            if (nanos > 0) {
                LockSupport.parkNanos(this, nanos);
            }
            needed = lane.isRung();
            if (heldBack && times == lane.heldBack().times() && lane.heldBack().isPending()) {
                lane.serve();
                needed = true;
            }
            int ready = sockets.run(looking(context));
            if (needed) {
                sleep.shortest();
            } else {
                sleep.lengthen();
            }
            return ready;
        }
        sleep.shortest();
        if (System.nanoTime() - readyNanos < LINGER_NANOS) {
            Thread.yield();
            return noted(sockets.run(looking(context)));
        }
        polling.loopWatches();
        try {
            return noted(sockets.run(context));
        } finally {
            polling.loopComesBy();
        }
    }

    private int noted(int ready) {
        if (ready > 0) {
            readyNanos = System.nanoTime();
        }
        return ready;
    }

    /** The loop has one context for all runs. */
    @SuppressWarnings("ReferenceEquality")
    private Looking looking(IoHandlerContext context) {
        Looking known = looking;
        if (known == null || known.context != context) {
            known = new Looking(context);
            looking = known;
        }
        return known;
    }

    @Override
    public void wakeup() {
        sockets.wakeup();
        LockSupport.unpark(sleeper);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        if (handle instanceof NioIoHandle nio) {
            return sockets.register(new NioOnLane(nio));
        }
        // The class may not be there at all, and then no handle can be of it.
        return sockets.register(sockets.getClass().getSimpleName().equals("EpollIoHandler") ? onLane(handle) : handle);
    }

    private IoHandle onLane(IoHandle handle) {
        return handle instanceof EpollIoHandle epoll ? new EpollOnLane(epoll) : handle;
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return sockets.isCompatible(handleType);
    }

    @Override
    public void prepareToDestroy() {
        sockets.prepareToDestroy();
    }

    @Override
    public void destroy() {
        sockets.destroy();
    }

    private void handle(IoHandle socket, Object identity, IoRegistration registration, IoEvent event) {
        if (!hold(identity)) {
            return;
        }
        needed = true;
        try {
            lane.heldBack().holdInSteps(polling.isAttentive());
            socket.handle(registration, event);
        } finally {
            lane.heldBack().holdInSteps(false);
            lane.alone().unlock();
        }
    }

    /** Takes the lane, unless programs that poll look after the socket. */
    private boolean hold(Object identity) {
        if (!polling.isGoingOn()) {
            lane.takeSoon();
            return true;
        }
        if (!lane.alone().tryLock()) {
            return false;
        }
        if (lane.isReadDirectly(identity)) {
            lane.alone().unlock();
            return false;
        }
        return true;
    }

    private void close(IoHandle socket) {
        lane.alone().lock();
        try {
            socket.close();
        } catch (Exception e) {
            lane.log().fault("closing a socket failed", e);
        } finally {
            lane.alone().unlock();
        }
    }

    /** The context of a run that only looks. */
    private static final class Looking implements IoHandlerContext {

        private final IoHandlerContext context;

        Looking(IoHandlerContext context) {
            this.context = context;
        }

        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return context.delayNanos(currentTimeNanos);
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }
    }

    private final class NioOnLane implements NioIoHandle {

        private final NioIoHandle socket;

        NioOnLane(NioIoHandle socket) {
            this.socket = socket;
        }

        @Override
        public SelectableChannel selectableChannel() {
            return socket.selectableChannel();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            SharedHandler.this.handle(socket, socket.selectableChannel(), registration, event);
        }

        @Override
        public void registered() {
            socket.registered();
        }

        @Override
        public void unregistered() {
            socket.unregistered();
        }

        @Override
        public void close() {
            SharedHandler.this.close(socket);
        }
    }

    private final class EpollOnLane implements EpollIoHandle {

        private final EpollIoHandle socket;

        EpollOnLane(EpollIoHandle socket) {
            this.socket = socket;
        }

        @Override
        public FileDescriptor fd() {
            return socket.fd();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            SharedHandler.this.handle(socket, socket.fd(), registration, event);
        }

        @Override
        public void registered() {
            socket.registered();
        }

        @Override
        public void unregistered() {
            // Netty unregisters before it closes. The connection is told later that its channel is closed.
            lane.retire(socket.fd());
            socket.unregistered();
        }

        @Override
        public void close() {
            SharedHandler.this.close(socket);
        }
    }
}
