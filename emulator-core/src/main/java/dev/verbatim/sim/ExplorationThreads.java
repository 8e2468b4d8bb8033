// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads that make runs of explorations before these come to them. What an exploration finds, in which order, and what it counts is the
 * same without them.
 */
public final class ExplorationThreads implements AutoCloseable {

    private final List<RunsAhead> explorations = new ArrayList<>();
    private int count;
    private boolean isClosed;

    /** No thread at first. */
    public ExplorationThreads() {}

    /** Makes the calling thread one of them until {@link #close}. The exploration that began first is shared first. */
    public void makeRuns() {
        join();
        RunsAhead next = next();
        while (next != null) {
            next.makeRun();
            next = next();
        }
    }

    /** There is one more thread. */
    synchronized void join() {
        count++;
    }

    /** An exploration with work; waits for one, or for the end: then null. */
    private synchronized @Nullable RunsAhead next() {
        while (!isClosed) {
            RunsAhead first = withWork();
            if (first != null) {
                return first;
            }
            await();
        }
        return null;
    }

    /** The first exploration with work; null if there is none. */
    synchronized @Nullable RunsAhead withWork() {
        for (RunsAhead exploration : explorations) {
            if (exploration.hasWork()) {
                return exploration;
            }
        }
        return null;
    }

    /** Waits for a change, or without one; callers look again. */
    @SuppressWarnings("WaitNotInLoop") // the loop is where it is called
    synchronized void await() {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it shared to explore", e);
        }
    }

    /** How many threads there are. */
    synchronized int count() {
        return count;
    }

    synchronized void add(RunsAhead exploration) {
        explorations.add(exploration);
    }

    synchronized void remove(RunsAhead exploration) {
        explorations.remove(exploration);
    }

    /** Lets the threads go, each after the run that it is making. */
    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    @Override
    public synchronized String toString() {
        return count + " threads of " + explorations.size() + " explorations";
    }
}
