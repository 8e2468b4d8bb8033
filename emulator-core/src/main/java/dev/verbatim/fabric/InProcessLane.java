// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.fabric.carrier.Timekeeper;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.PlainRequest;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lane of the in-process fabric: a lock, and its holder does the work of all. A thread that rings or polls tries
 * the lock once and leaves the work to the holder otherwise; only control verbs wait for it.
 *
 * <p>No work is stranded: the holder looks for new work once more after it let go of the lock, and a thread that failed to
 * take it had queued his work before.
 */
final class InProcessLane implements Lane {

    /** Of one turn; what is left is for the next. */
    static final int MOST_ITEMS_OF_A_DRAIN = 256;

    private static final int MOST_TURNS_OF_A_SOURCE = 64;

    /** More than a device has to say to all of its peers when it is closed; a source that never ends is given up then. */
    private static final int MOST_LAST_TURNS = 2 * DeviceLimits.MAX_UNSENT_MADS;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final TimerQueue timers = new TimerQueue();
    private final ArrayDeque<PacketSource> ready = new ArrayDeque<>();
    private final Packet packet = new Packet();
    private final Payload payload = packet.payload();
    private final PlainRequest plain = new PlainRequest();
    private final Timekeeper timekeeper;

    /**
     * Waits before all in {@link #ready}, if {@link #firstIsReady}; else had its turn last. Most of the time one source is alone, again and
     * again: to remember it stores no reference, which under G1 costs a full fence.
     */
    private @Nullable PacketSource first;

    private boolean firstIsReady;
    private boolean timeKnown;
    private long nowNanos;
    private volatile boolean unfinished;

    InProcessLane(Clock clock) {
        this.clock = clock;
        this.timekeeper = new Timekeeper(clock::nanoTime, this::keepTime);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long nowNanos() {
        if (!timeKnown) {
            nowNanos = clock.nanoTime();
            timeKnown = true;
        }
        return nowNanos;
    }

    @Override
    public boolean isCurrent() {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public void ring(Doorbell doorbell) {
        if (isCurrent()) {
            doorbells.ring(doorbell);
        } else if (lock.tryLock()) {
            // No other thread is on the lane: answered at once, behind those that were rung before.
            serve(false, doorbell);
        } else {
            doorbells.ring(doorbell);
            if (lock.tryLock()) {
                serve(false, null);
            }
        }
    }

    @Override
    public void progress() {
        if (!isCurrent() && lock.tryLock()) {
            serve(true, null);
        }
    }

    @Override
    public void call(Runnable work) {
        if (isCurrent()) {
            work.run();
            return;
        }
        lock.lock();
        try {
            timeKnown = false;
            work.run();
        } finally {
            lock.unlock();
            if (lock.tryLock()) {
                serve(false, null);
            }
        }
    }

    @Override
    public void arm(LaneTimer timer, long deadlineNanos) {
        if (timers.arm(timer, deadlineNanos)) {
            timekeeper.wakeBy(deadlineNanos);
        }
    }

    @Override
    public void forget(LaneTimer timer) {
        timers.forget(timer);
    }

    @Override
    public boolean await(WaitPoint place, long patienceNanos) {
        if (isCurrent()) {
            throw VerbsException.of(
                    Errno.EDEADLK,
                    Rule.N_10,
                    "this thread runs the lane, and a wait would block it for ever; wait from a thread that runs no tap"
                            + " or event handler");
        }
        try {
            return place.park(clock, patienceNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw WaitPoint.interrupted();
        }
    }

    /** Gives the source its turns. On the lane. */
    @SuppressWarnings("ReferenceEquality") // a source is its identity
    void enqueue(PacketSource source) {
        if (firstIsReady || !ready.isEmpty()) {
            ready.addLast(source);
            return;
        }
        if (first != source) {
            first = source;
        }
        firstIsReady = true;
    }

    /**
     * Gives the sources that have announced themselves to links of a port their turns, until they have nothing more. On the lane,
     * perhaps within the turn of another source.
     */
    void giveLastTurns(InProcessPort port) {
        Packet last = new Packet();
        int left = MOST_LAST_TURNS;
        boolean found = true;
        while (found && left > 0) {
            found = false;
            joinFirst();
            for (int sources = ready.size(); sources > 0; sources--) {
                PacketSource source = ready.removeFirst();
                if (left > 0 && source.link() instanceof InProcessLink link && link.isOf(port)) {
                    serveTurn(source, last, last.payload());
                    found = true;
                    left--;
                } else {
                    ready.addLast(source);
                }
            }
        }
    }

    /** The first waits in the one line with the others; what has had its turn is not remembered any more. */
    private void joinFirst() {
        PacketSource before = first;
        if (firstIsReady && before != null) {
            ready.addFirst(before);
        }
        firstIsReady = false;
        first = null;
    }

    void close() {
        timekeeper.close();
    }

    /** With the lock, which is given back. */
    private void serve(boolean timersToo, @Nullable Doorbell rung) {
        boolean withTimers = timersToo;
        Doorbell doorbell = rung;
        do {
            boolean drained = false;
            try {
                drain(withTimers, doorbell);
                drained = true;
            } finally {
                lock.unlock();
                if (!drained) {
                    leaveToTimekeeper();
                }
            }
            withTimers = false;
            doorbell = null;
        } while (!unfinished && !doorbells.isEmpty() && lock.tryLock());
        if (unfinished) {
            leaveToTimekeeper();
        }
    }

    /** Where there is no heap for a thread, the next thread that rings or polls goes on. */
    private void leaveToTimekeeper() {
        try {
            timekeeper.wakeNow();
        } catch (OutOfMemoryError e) {
            unfinished = true;
        }
    }

    private void drain(boolean timersToo, @Nullable Doorbell rung) {
        timeKnown = false;
        if (timersToo) {
            timers.expireDue(nowNanos());
        }
        int served = 0;
        if (rung != null) {
            doorbells.answerAll();
            rung.answer();
        }
        while (served < MOST_ITEMS_OF_A_DRAIN) {
            boolean answered = doorbells.answerAll();
            PacketSource source = firstIsReady ? first : ready.pollFirst();
            firstIsReady = false;
            if (source == null && !answered) {
                break;
            }
            if (source != null) {
                served += serveTurn(source, packet, payload);
            } else {
                served++;
            }
        }
        boolean isLeft = firstIsReady || !ready.isEmpty();
        if (unfinished != isLeft) {
            unfinished = isLeft;
        }
    }

    /** Gives a source its turn, or where no other waits for one, several on the fast path; returns how many. */
    private int serveTurn(PacketSource source, Packet packet, Payload payload) {
        int turns = 1;
        timeKnown = false;
        try {
            Link over = source.link();
            InProcessLink link = over instanceof InProcessLink own ? own : null;
            if (link != null && link.exchange(source, plain)) {
                while (turns < MOST_TURNS_OF_A_SOURCE
                        && !firstIsReady
                        && ready.isEmpty()
                        && doorbells.isEmpty()
                        && link.exchange(source, plain)) {
                    turns++;
                }
                if (source.staysAt(over)) {
                    enqueue(source);
                }
            } else if (source.pull(packet)) {
                if (source.staysAt(over)) {
                    enqueue(source);
                }
                if (link != null) {
                    link.carry(packet);
                }
            }
        } catch (RuntimeException | Error e) {
            source.failed(e);
        }
        // No memory is held, or shown to anybody, after the step that it was for.
        payload.clear();
        plain.clear();
        return turns;
    }

    /**
     * The timekeeper's turn: due timers, and what others left behind or to it; the next deadline. It looks at the doorbells once more
     * after it let go of the lock, like any holder: a thread that rang after the last answer found the lock taken and went away, and
     * nobody else would come.
     */
    private long keepTime() {
        long deadlineNanos;
        lock.lock();
        try {
            drain(true, null);
            deadlineNanos = timers.nextDeadlineNanos();
        } finally {
            lock.unlock();
        }
        return unfinished || !doorbells.isEmpty() ? clock.nanoTime() : deadlineNanos;
    }

    @Override
    public String toString() {
        return "lane of an in-process fabric";
    }
}
