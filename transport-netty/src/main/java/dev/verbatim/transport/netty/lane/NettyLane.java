// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.DoorbellQueue;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.fabric.TimerQueue;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.IoHandlerFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * One event loop as a lane: a lock that each step holds, and the loop never while it waits for its sockets.
 *
 * <p>What happens on the loop happens in steps: bytes that arrived, timers that are due, doorbells of other threads. Each ends by
 * answering doorbells and letting links send, a few rounds of it; what is left then waits until the loop has looked at its sockets
 * again. A {@link #call} of another thread is a step too, but on that thread: being woken costs the loop many times what a control
 * verb does. It does all but write to sockets, which is left to the loop. When the loop has ended, callers do that too, so that
 * devices can still be taken apart.
 *
 * <p>Between two steps the loop looks at its sockets, and then a caller comes in that waits. What Netty does with a connection
 * beside the steps concerns nobody else, but where it writes registered memory: that {@link #alone} is for. Who drives the loop is
 * its own business: a thread of its own, or the one that opened the fabric.
 */
public final class NettyLane implements Lane {

    private final String carrier;
    private final TransportLog log;
    private final LaneLoop loop;
    private final ReentrantLock running = new ReentrantLock();
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final ArrayDeque<Runnable> sending = new ArrayDeque<>();
    private final List<BooleanSupplier> directReads = new ArrayList<>();
    private final TimerQueue timers = new TimerQueue();
    private final Runnable answerDoorbells = doorbells::answerAll;
    private int depth;
    private boolean timeKnown;
    private long nowNanos;

    /**
     * Driven by a thread of its own or, spinning, by the calling one.
     *
     * @param carrier its name for messages and threads, such as {@code tcp}
     */
    public NettyLane(String carrier, IoHandlerFactory sockets, boolean spinning) {
        this.carrier = carrier;
        this.log = new TransportLog(clock());
        this.loop = spinning ? new OwnedLoop(this, sockets) : new ThreadLoop(this, sockets);
    }

    public TransportLog log() {
        return log;
    }

    String carrier() {
        return carrier;
    }

    public LaneLoop loop() {
        return loop;
    }

    @Override
    public Clock clock() {
        return SystemClock.INSTANCE;
    }

    @Override
    public long nowNanos() {
        if (!timeKnown) {
            nowNanos = clock().nanoTime();
            timeKnown = true;
        }
        return nowNanos;
    }

    /** The owner of a spinning loop is an ordinary program between the steps that it drives. */
    @Override
    public boolean isCurrent() {
        return running.isHeldByCurrentThread() && depth > 0;
    }

    @Override
    public void ring(Doorbell doorbell) {
        doorbells.ring(doorbell);
        if (!isCurrent()) {
            loop.serveSoon();
        }
    }

    /** Drives the loop if the calling thread owns it; otherwise the loop has a thread of its own. */
    @Override
    public void progress() {
        if (!isCurrent()) {
            loop.drive();
        }
    }

    @Override
    public void call(Runnable work) {
        enter();
        try {
            work.run();
        } finally {
            leave();
        }
    }

    @Override
    public void arm(LaneTimer timer, long deadlineNanos) {
        if (timers.arm(timer, deadlineNanos)) {
            loop.wakeBy(deadlineNanos, clock().nanoTime());
        }
    }

    @Override
    public void forget(LaneTimer timer) {
        timers.forget(timer);
    }

    @Override
    public boolean await(WaitPoint place, long patienceNanos) {
        refuseToBlock("await");
        try {
            return loop.drive() ? driveUntil(place::isReady, patienceNanos) : place.park(clock(), patienceNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw WaitPoint.interrupted();
        }
    }

    @Override
    public boolean spinsByChoice() {
        return loop.isDrivenByCaller();
    }

    /**
     * Waits for what the lane will complete. Not on the lane.
     *
     * @return whether it was done in time, well or not
     */
    public boolean await(Future<?> future, long patienceNanos) throws InterruptedException {
        if (loop.drive()) {
            return driveUntil(future::isDone, patienceNanos);
        }
        try {
            future.get(patienceNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | CancellationException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Lets the calling thread, which owns the loop, drive it until something is so; whether it was in time. */
    private boolean driveUntil(BooleanSupplier so, long patienceNanos) throws InterruptedException {
        long startNanos = clock().nanoTime();
        boolean driven = true;
        while (driven && !so.getAsBoolean()) {
            long leftNanos = patienceNanos - (clock().nanoTime() - startNanos);
            if (leftNanos <= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            driven = loop.drive(Math.min(leftNanos, TransportLimits.LONGEST_PARK_NANOS));
        }
        return so.getAsBoolean();
    }

    /** Refuses to let the lane wait for what only the lane can do. */
    public void refuseToBlock(String what) {
        if (isCurrent()) {
            throw VerbsException.of(
                    Errno.EDEADLK, Rule.N_10, "%s waits, but this thread is the lane itself; call it on another", what);
        }
    }

    /** A link gets its turn before the step ends, or on the loop when it has. On the lane, or {@link #alone}. */
    public void letSend(Runnable turn) {
        sending.addLast(turn);
        if (!isCurrent()) {
            loop.serveSoon();
        }
    }

    /** Held while something happens on the loop beside a step that must not meet one. */
    public Lock alone() {
        return running;
    }

    /** Begins a step, or a part of the present one. */
    public void enter() {
        running.lock();
        if (depth++ == 0) {
            timeKnown = false;
        }
    }

    /** Ends what {@link #enter} began. */
    public void leave() {
        boolean isLoops = loop.isDriver();
        boolean handedOver = false;
        try {
            if (depth == 1 && isLoops) {
                settle();
            } else if (depth == 1) {
                shielded("a doorbell's answer", answerDoorbells);
                handedOver = hasWork();
            }
        } finally {
            depth--;
            running.unlock();
        }
        if (handedOver) {
            loop.serveSoon();
        }
    }

    /** Runs something that is not trusted to return normally; whether it did. */
    boolean shielded(String what, Runnable work) {
        try {
            work.run();
            return true;
        } catch (RuntimeException | Error e) {
            log.fault(what + " failed; it is dropped and the lane goes on", e);
            return false;
        }
    }

    /** A link's turn for a source threw an exception: the packet is lost, the source is notified, and the lane goes on. */
    public void turnFailed(Gid peer, PacketSource source, Throwable thrown) {
        try {
            source.failed(thrown);
        } catch (RuntimeException | Error e) {
            log.fault("pulling a packet for gid=" + peer + " failed; the packet is lost", e);
        }
    }

    /**
     * A connection may be read without asking the loop first, where a program drives it. On the lane.
     *
     * @param read reads what has come; false if the loop has to look at the socket
     */
    public void beginDirectReads(BooleanSupplier read) {
        directReads.add(read);
    }

    /** The connection is no more. On the lane. */
    public void endDirectReads(BooleanSupplier read) {
        directReads.remove(read);
    }

    /** Reads the sockets themselves, if they are few, which is quicker than asking which of them to read; whether it did. */
    boolean readDirectly() {
        running.lock();
        try {
            int count = directReads.size();
            if (count == 0 || count > TransportLimits.MOST_DIRECTLY_READ) {
                return false;
            }
            boolean direct = true;
            for (int i = count - 1; i >= 0 && i < directReads.size(); i--) {
                direct &= directReads.get(i).getAsBoolean();
            }
            return direct;
        } finally {
            running.unlock();
        }
    }

    /** Does what there is to do now. */
    void serve() {
        enter();
        leave();
    }

    private void settle() {
        for (int round = 0; round < TransportLimits.MOST_ROUNDS_OF_A_STEP && hasWork(); round++) {
            timeKnown = false;
            shielded("a doorbell's answer", answerDoorbells);
            letLinksSend();
        }
        if (hasWork()) {
            loop.serveAfterSockets();
        }
    }

    /** Whether something is left to do that needs no socket to become ready. On the lane. */
    public boolean hasWork() {
        return !doorbells.isEmpty() || !sending.isEmpty();
    }

    private void letLinksSend() {
        for (int turns = sending.size(); turns > 0; turns--) {
            sending.removeFirst().run();
        }
    }

    /** Expires timers that are due, and sees to it that the next one will be. On the loop. */
    void expireTimers() {
        running.lock();
        try {
            loop.hasWoken();
            enter();
            try {
                while (!shielded("a timer's expiry", () -> timers.expireDue(nowNanos()))) {
                    timeKnown = false;
                }
            } finally {
                leave();
            }
            loop.wakeBy(timers.nextDeadlineNanos(), clock().nanoTime());
        } finally {
            running.unlock();
        }
    }

    @Override
    public String toString() {
        return "lane of a fabric over " + carrier;
    }
}
