// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An actor that is ordinary code on a thread of its own. The thread runs only while the actor takes a step, and everybody else
 * waits for it meanwhile; its step ends where the code calls a verb.
 */
final class Program implements Actor {

    private static final long GRACE_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 10_000;

    /** Ends the thread of a program that is given up. */
    private static final class Abandoned extends Error {
        private static final long serialVersionUID = 1L;

        Abandoned() {
            super("the simulation has ended", null, false, false);
        }
    }

    private static final ThreadLocal<@Nullable Program> CURRENT = new ThreadLocal<>();

    private final String name;
    private final ScheduledLane lane;
    private final Thread thread;
    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasPaused = new Semaphore(0);
    private BooleanSupplier awaited = () -> true;
    private boolean started;
    private boolean done;
    private volatile boolean abandoned;
    private volatile boolean interrupted;
    private boolean stuck;
    private boolean polling;
    private boolean awaitsOneThing = true;
    /** How often in a row it went on although nothing was left to happen that it could have waited for. */
    private int fruitless;

    private @Nullable Throwable failure;

    Program(String name, ScheduledLane lane, Runnable body) {
        this.name = name;
        this.lane = lane;
        this.thread = new Thread(() -> run(body), "verbatim-program-" + name);
        thread.setDaemon(true);
    }

    /** The program that the calling thread is; null if it is none. */
    static @Nullable Program current() {
        return CURRENT.get();
    }

    boolean isOn(ScheduledLane candidate) {
        return lane.equals(candidate);
    }

    private void run(Runnable body) {
        CURRENT.set(this);
        awaitTurn();
        try {
            if (!abandoned) {
                body.run();
            }
        } catch (Abandoned end) {
            // As it was told.
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            done = true;
            hasPaused.release();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean mayAddPrograms() {
        return true;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    /** What ended the program before its time; null if nothing did. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public boolean canStep() {
        return !done && awaited.getAsBoolean();
    }

    @Override
    public boolean awaitsOneThing() {
        return awaitsOneThing;
    }

    /** Says so of what it will wait for. By its own thread. */
    void awaitsOneThing(boolean isSo) {
        awaitsOneThing = isSo;
    }

    @Override
    public void step() {
        awaited = () -> true;
        polling = false;
        hand();
    }

    private void hand() {
        if (!started) {
            started = true;
            thread.start();
        }
        giveTurn();
        try {
            hasPaused.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            StackTraceElement[] place = thread.getStackTrace();
            if (!pausesWithin(GRACE_MILLIS)) {
                throw impatient(e, place);
            }
        }
    }

    private void giveTurn() {
        mayRun.release();
        LockSupport.unpark(thread);
    }

    /** By its own thread. An interrupt is noted before it is forgotten, so that it is seen at any moment; then it is back. */
    private void awaitTurn() {
        while (!mayRun.tryAcquire()) {
            LockSupport.park(this);
            if (Thread.currentThread().isInterrupted()) {
                interrupted = true;
                boolean unused = Thread.interrupted();
            }
        }
        if (interrupted) {
            interrupted = false;
            thread.interrupt();
        }
    }

    /** Whether its thread has been interrupted, also while it waits for its turn. */
    boolean isInterrupted() {
        return interrupted || thread.isInterrupted();
    }

    /** The failure after the patience is over: it has the stack of the program. */
    private IllegalStateException impatient(InterruptedException cause, StackTraceElement[] place) {
        abandoned = true;
        done = true;
        cause.setStackTrace(place);
        return new IllegalStateException(
                "interrupted while program " + name
                        + " ran between two verbs, at the place in this exception's cause; a loop"
                        + " that looks at memory has to let others have their turn: use Node.load, Node.loadUntil or"
                        + " Node.await",
                cause);
    }

    /** Waits for the end of the step, also if the calling thread is interrupted already; it stays so. */
    private boolean pausesWithin(long millis) {
        boolean interrupted = Thread.interrupted();
        try {
            return hasPaused.tryAcquire(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the step; returns in the next one, which begins when {@code condition} holds. By the program's own thread.
     *
     * @return false if the condition can never hold, because nothing is left to happen
     */
    boolean pauseUntil(BooleanSupplier condition) {
        if (abandoned) {
            // Objects that are closed while the program is unwound do not wait: it has no more turns.
            throw new Abandoned();
        }
        awaited = condition;
        stuck = false;
        hasPaused.release();
        awaitTurn();
        if (abandoned) {
            throw new Abandoned();
        }
        fruitless = stuck ? fruitless + 1 : 0;
        return !stuck;
    }

    /** How often in a row a pause ended only since nothing was left to happen. By its own thread. */
    int fruitless() {
        return fruitless;
    }

    /** What its thread is in, innermost first: where it waits. */
    StackTraceElement[] place() {
        return thread.getStackTrace();
    }

    boolean hasStarted() {
        return started;
    }

    /** As {@link #pauseUntil}, for one that looks whether something has happened, and does so again if not. */
    void poll(BooleanSupplier condition) {
        polling = true;
        pauseUntil(condition);
    }

    /** Whether its step ended with {@link #poll}. */
    boolean isPolling() {
        return polling;
    }

    /** Ends the step; the next one begins when it is the program's turn. By its own thread. */
    void pause() {
        pauseUntil(() -> true);
    }

    /** No event is left that the program could wait for: its wait ends in its next step with EDEADLK. */
    void giveUpWaiting() {
        stuck = true;
    }

    /** Ends the thread, whatever it waits for; one that does not end is left to itself, and can do no harm to others. */
    void abandon() {
        if (started && !done) {
            abandoned = true;
            giveTurn();
            pausesWithin(PATIENCE_MILLIS);
        }
        done = true;
    }
}
