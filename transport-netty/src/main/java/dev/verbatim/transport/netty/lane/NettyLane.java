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

    private static final int TURNS_BEFORE_YIELDING = 128;
    private static final int TURNS_BEFORE_QUEUEING = 160;

    private final String carrier;
    private final TransportLog log;
    private final LaneLoop loop;
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final LaneLock running = new LaneLock();
    private final ArrayDeque<Runnable> sending = new ArrayDeque<>();

    /** Turns of links that only the thread of the loop can write for. */
    private final ArrayDeque<Runnable> sendingOnLoop = new ArrayDeque<>();

    private final HeldBack heldBack = new HeldBack();
    private final List<DirectSocket> directSockets = new ArrayList<>();
    private final TimerQueue timers = new TimerQueue();
    private final Runnable answerDoorbells = doorbells::answerAll;
    private final Runnable expireDue = this::expireDue;
    private final Polling polling;
    private long arrivals;
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
        this.polling = new Polling(this);
        this.loop = spinning ? new OwnedLoop(this, sockets) : new ThreadLoop(this, sockets, polling);
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
        if (isCurrent()) {
            return;
        }
        if (!loop.isShared()) {
            loop.serveSoon();
        } else if (polling.posted() && tryEnter()) {
            // Otherwise whoever holds the lock sees the doorbell when it lets go of it.
            leave();
        }
    }

    /** Drives the lane, if no other thread does and it is the calling thread's business. */
    @Override
    public void progress() {
        if (isCurrent()) {
            return;
        }
        if (loop.isShared()) {
            polling.polled();
        } else {
            loop.drive();
        }
    }

    @Override
    public void call(Runnable work) {
        enter();
        try {
            work.run();
        } finally {
            leave(loop.isDriver());
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
            if (loop.drive()) {
                return driveUntil(place::isReady, patienceNanos);
            }
            polling.ends();
            return place.park(clock(), patienceNanos);
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
        polling.ends();
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

    /** Whether a thread waits for the end of this step. On the lane. */
    public boolean isWaitedFor() {
        return running.hasQueuedThreads();
    }

    /** Held while something happens on the loop beside a step that must not meet one. */
    public Lock alone() {
        return running;
    }

    /** As {@link #letSend}, for what only the thread of the loop can write. On the lane. */
    public void letLoopSend(Runnable turn) {
        sendingOnLoop.addLast(turn);
    }

    /**
     * A link's turn has nothing but what may wait, and has it when another step ends, on whichever thread: with what is posted next, or
     * at the latest when the loop's thread has waited for that. On the lane, in the turn.
     */
    public void sendLater(Runnable turn) {
        heldBack.add(turn);
    }

    /** Whether what may wait is to wait at the end of this step. On the lane. */
    public boolean holdsBack() {
        return heldBack.isOpen();
    }

    HeldBack heldBack() {
        return heldBack;
    }

    /** Whether the calling thread may do what only the thread of the loop can. */
    public boolean isLoops() {
        return loop.isDriver();
    }

    /** Whether what a full socket did not take is left to whoever polls; if not, to the loop. On the lane. */
    public boolean isPolled() {
        return loop.isShared() && polling.isGoingOn();
    }

    /** Begins a step, or a part of the present one. */
    public void enter() {
        running.lock();
        begin();
    }

    /** Begins a step if nobody else is on the lane; whether it did. */
    boolean tryEnter() {
        if (!running.tryLock()) {
            return false;
        }
        begin();
        return true;
    }

    /** As {@link #enter}, on the loop: see {@link #takeSoon}. */
    void enterSoon() {
        takeSoon();
        begin();
    }

    /**
     * Takes the lane, mostly of a post that brought about what the loop is to do, and is about to end. Unlike after a wait in the queue
     * whoever lets go of the lane makes no system call. On the loop.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding makes nothing right; it lets the thread go on that has the lane
    void takeSoon() {
        for (int turn = 0; turn < TURNS_BEFORE_QUEUEING; turn++) {
            if (running.tryLock()) {
                return;
            }
            if (turn < TURNS_BEFORE_YIELDING) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        running.lock();
    }

    private void begin() {
        if (depth++ == 0) {
            timeKnown = false;
            heldBack.stepBegins();
        }
    }

    /** Ends what {@link #enter} began. */
    public void leave() {
        leave(loop.isDriver() || loop.isShared());
    }

    private void leave(boolean settles) {
        boolean isLoops = loop.isDriver();
        boolean handedOver = false;
        try {
            if (depth == 1 && settles) {
                settle();
                handedOver = !isLoops && !sendingOnLoop.isEmpty();
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

    /** A socket may be read and written without asking the loop first, by a program that drives it or polls. On the lane. */
    public void beginDirect(DirectSocket socket) {
        directSockets.add(socket);
    }

    /** The socket is no more. On the lane. */
    public void endDirect(DirectSocket socket) {
        directSockets.remove(socket);
    }

    /** Reads the sockets themselves, if they are few, which is quicker than asking which of them to read; whether it did. */
    boolean readDirectly() {
        running.lock();
        try {
            int count = directSockets.size();
            if (count == 0 || count > TransportLimits.MOST_DIRECTLY_READ) {
                return false;
            }
            boolean direct = true;
            for (int i = count - 1; i >= 0 && i < directSockets.size(); i--) {
                direct &= directSockets.get(i).readNow();
            }
            return direct;
        } finally {
            running.unlock();
        }
    }

    /** Whether a channel or file descriptor needs nothing of the loop while it is read directly. On the lane. */
    boolean isReadDirectly(Object identity) {
        for (int i = 0; i < directSockets.size(); i++) {
            if (directSockets.get(i).isAllOf(identity)) {
                return true;
            }
        }
        return false;
    }

    /** The loop is about to close this channel or file descriptor. On the loop. */
    void retire(Object identity) {
        running.lock();
        try {
            directSockets.forEach(socket -> socket.retire(identity));
        } finally {
            running.unlock();
        }
    }

    /** Something was read directly. On the lane. */
    public void arrived() {
        arrivals++;
    }

    /** How often something was read directly. On the lane. */
    long arrivals() {
        return arrivals;
    }

    /** The loop looks at the sockets again: it writes, too, what they did not take. On the lane, on the loop. */
    void leaveSocketsToLoop() {
        for (int i = directSockets.size() - 1; i >= 0 && i < directSockets.size(); i--) {
            directSockets.get(i).leaveToLoop();
        }
    }

    /** Whether somebody rang who went away since another thread had the lane, or left it to the loop. From any thread. */
    boolean isRung() {
        return !doorbells.isEmpty();
    }

    /** Does what there is to do now. */
    void serve() {
        enter();
        leave();
    }

    private void settle() {
        heldBack.release(sending);
        boolean writesAll = loop.isDriver();
        int rounds = isWaitedFor() ? 1 : TransportLimits.MOST_ROUNDS_OF_A_STEP;
        for (int round = 0; round < rounds && hasWorkFor(writesAll); round++) {
            timeKnown = false;
            shielded("a doorbell's answer", answerDoorbells);
            letLinksSend(sending);
            if (writesAll) {
                letLinksSend(sendingOnLoop);
            }
        }
        heldBack.stepEnds();
        if (hasWorkFor(writesAll)) {
            loop.serveAfterSockets();
        }
    }

    /** Whether something is left to do that needs no socket to become ready. On the lane. */
    public boolean hasWork() {
        return hasWorkFor(true);
    }

    private boolean hasWorkFor(boolean writesAll) {
        return !doorbells.isEmpty() || !sending.isEmpty() || (writesAll && !sendingOnLoop.isEmpty());
    }

    private static void letLinksSend(ArrayDeque<Runnable> turns) {
        for (int left = turns.size(); left > 0; left--) {
            turns.removeFirst().run();
        }
    }

    /** Expires timers that are due, and sees to it that the next one will be. On the loop. */
    void expireTimers() {
        running.lock();
        try {
            loop.hasWoken();
            enter();
            try {
                while (!shielded("a timer's expiry", expireDue)) {
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

    private void expireDue() {
        timers.expireDue(nowNanos());
    }

    /**
     * Whoever waits for the lane gets it in turn: a program that polls or posts all the time would otherwise take it again before a
     * thread that waits has woken up. One that does not wait goes away while others do. A thread that rang meanwhile went away;
     * whoever lets go of the lane looks for that.
     */
    private final class LaneLock extends TicketLock {

        @Override
        public void unlock() {
            super.unlock();
            if (!doorbells.isEmpty() && !isHeldByCurrentThread() && loop.isShared()) {
                serveRungMeanwhile();
            }
        }

        private void serveRungMeanwhile() {
            boolean handedOver = false;
            if (tryLock()) {
                begin();
                try {
                    settle();
                    handedOver = !sendingOnLoop.isEmpty();
                } finally {
                    depth--;
                    super.unlock();
                }
            }
            if (handedOver || !doorbells.isEmpty()) {
                loop.serveSoon();
            }
        }
    }

    @Override
    public String toString() {
        return "lane of a fabric over " + carrier;
    }
}
