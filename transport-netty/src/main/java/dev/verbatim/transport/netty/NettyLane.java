// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.DoorbellQueue;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.fabric.TimerQueue;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One event loop as a lane.
 *
 * <p>What happens there happens in steps: bytes that arrived, timers that are due, work from other threads. Each step
 * ends by answering doorbells and letting links send, a few rounds of it; what is left then waits until the loop has
 * looked at its sockets again. When the loop has ended, callers serve the lane themselves, one at a time, so that
 * devices can still be taken apart.
 */
final class NettyLane implements Lane {

    private final TransportLog log;
    private final LaneLoop loop;
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final Queue<LaneCall> calls = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<NettyLink> sending = new ArrayDeque<>();
    private final TimerQueue timers = new TimerQueue();
    private final Runnable answerDoorbells = doorbells::answerAll;
    private int depth;
    private boolean timeKnown;
    private long nowNanos;

    NettyLane(SocketTransport transport) {
        this.log = new TransportLog(clock());
        this.loop = new LaneLoop(transport.handler(), this::serve, this::expireTimers);
    }

    TransportLog log() {
        return log;
    }

    LaneLoop loop() {
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

    @Override
    public boolean isCurrent() {
        return loop.isCurrent();
    }

    @Override
    public void ring(Doorbell doorbell) {
        doorbells.ring(doorbell);
        if (!isInStep()) {
            loop.serveSoon();
        }
    }

    /** Does nothing: the loop has a thread of its own. */
    @Override
    public void progress() {}

    @Override
    public void call(Runnable work) {
        if (isCurrent()) {
            enter();
            try {
                work.run();
            } finally {
                leave();
            }
            return;
        }
        LaneCall call = new LaneCall(work);
        calls.add(call);
        loop.serveSoon();
        call.join();
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
            return place.park(clock(), patienceNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, "NT-06", "the waiting thread was interrupted");
        }
    }

    /** Refuses to let the lane wait for what only the lane can do. */
    void refuseToBlock(String what) {
        if (isCurrent()) {
            throw VerbsException.of(
                    Errno.EDEADLK, "N-10", "%s waits, but this thread is the lane itself; call it on another", what);
        }
    }

    /** The link gets its turn before the step ends. On the lane. */
    void letSend(NettyLink link) {
        sending.addLast(link);
        if (!isInStep()) {
            loop.serveSoon();
        }
    }

    /** Begins a step, or a part of the present one. On the lane. */
    void enter() {
        if (depth++ == 0) {
            timeKnown = false;
        }
    }

    /** Ends what {@link #enter} began. */
    void leave() {
        if (depth == 1) {
            settle();
        }
        depth--;
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

    private boolean isInStep() {
        return isCurrent() && depth > 0;
    }

    private void serve() {
        enter();
        leave();
    }

    private void settle() {
        for (int round = 0; round < TransportLimits.MOST_ROUNDS_OF_A_STEP && hasWork(); round++) {
            timeKnown = false;
            runCalls();
            shielded("a doorbell's answer", answerDoorbells);
            letLinksSend();
        }
        if (hasWork()) {
            loop.serveAfterSockets();
        }
    }

    private boolean hasWork() {
        return !doorbells.isEmpty() || !sending.isEmpty() || !calls.isEmpty();
    }

    private void runCalls() {
        for (int done = 0; done < TransportLimits.MOST_CALLS_IN_A_ROW; done++) {
            LaneCall call = calls.poll();
            if (call == null) {
                return;
            }
            timeKnown = false;
            call.run();
            shielded("a doorbell's answer", answerDoorbells);
        }
    }

    private void letLinksSend() {
        for (int turns = sending.size(); turns > 0; turns--) {
            sending.removeFirst().send();
        }
    }

    private void expireTimers() {
        enter();
        try {
            while (!shielded("a timer's expiry", () -> timers.expireDue(nowNanos()))) {
                timeKnown = false;
            }
        } finally {
            leave();
        }
        loop.wakeBy(timers.nextDeadlineNanos(), clock().nanoTime());
    }
}
