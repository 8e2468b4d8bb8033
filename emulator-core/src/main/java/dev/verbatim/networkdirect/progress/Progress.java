// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect.progress;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes progress for all objects of one adapter. It has no thread: a thread that waits for a request, or at a completion port, dispatches
 * the events of all objects, and waits in slices that are short enough to notice what other threads have dispatched.
 */
public final class Progress {

    private static final Duration ALONE = Duration.ofMillis(4);
    private static final Duration AMONG_OTHERS = Duration.ofMillis(1);

    /** Slices become twice as long after so many in vain, and again, so that a long wait costs little. */
    private static final int ROUNDS_OF_A_LENGTH = 8;

    private static final Duration LONGEST = Duration.ofMillis(64);

    /** What a round counts that ended early: time is not measured here. */
    private static final Duration EARLY = Duration.ofNanos(10_000);

    private final CompletionDispatcher completions;
    private volatile @Nullable ConnectionDispatcher connections;
    private final Set<AwaitedObject> awaited = ConcurrentHashMap.newKeySet();

    /** Progress of an adapter that has no connections yet. */
    public Progress(CompletionDispatcher completions) {
        this.completions = completions;
    }

    /** The events of the adapter's connections; null before there are any. */
    public @Nullable ConnectionDispatcher connections() {
        return connections;
    }

    /** Events of connections are dispatched from now on, whether or not somebody waits for them: completions may follow from them. */
    public void connections(ConnectionDispatcher dispatcher) {
        connections = dispatcher;
    }

    /** Dispatches the events of connections; whether there were any. */
    public boolean dispatchConnections() {
        ConnectionDispatcher known = connections;
        if (known == null || !known.hasEvent()) {
            return false;
        }
        known.dispatch();
        return true;
    }

    /** Requests of the object are pending from now on. */
    public void add(AwaitedObject object) {
        awaited.add(object);
    }

    /** None of its requests is pending any more. */
    public void remove(AwaitedObject object) {
        awaited.remove(object);
    }

    /** The objects that have requests pending. */
    public Set<AwaitedObject> awaited() {
        return Set.copyOf(awaited);
    }

    /** Lets the device make progress, dispatches all events, and lets each object check for what no event announces. */
    public void poll() {
        completions.poll();
        dispatch();
    }

    private void dispatch() {
        completions.dispatch();
        boolean unused = dispatchConnections();
        for (AwaitedObject object : awaited) {
            object.dispatcher().get().dispatch();
            object.check().run();
        }
    }

    /** Waits until the condition holds; false if it does not when the patience is over, or when the thread is interrupted. */
    public boolean await(BooleanSupplier condition, Duration patience) {
        return await(List.of(this), condition, patience);
    }

    /** The same for several adapters. */
    public static boolean await(List<Progress> all, BooleanSupplier condition, Duration patience) {
        Duration left = patience;
        int round = 0;
        while (!condition.getAsBoolean()) {
            all.forEach(Progress::dispatch);
            if (condition.getAsBoolean()) {
                return true;
            }
            if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
                all.forEach(Progress::poll);
                return condition.getAsBoolean();
            }
            left = left.minus(parkAt(sources(all), round++, left));
        }
        return true;
    }

    private static List<Dispatcher> sources(List<Progress> all) {
        List<Dispatcher> sources = all.stream()
                .flatMap(progress -> progress.awaited.stream())
                .map(object -> object.dispatcher().get())
                .distinct()
                .toList();
        return sources.isEmpty()
                ? all.stream().<Dispatcher>map(progress -> progress.completions).toList()
                : sources;
    }

    /** Parks where something may come; returns how much patience that took. */
    private static Duration parkAt(List<Dispatcher> sources, int round, Duration most) {
        Duration slice = slice(sources.size() == 1 ? ALONE : AMONG_OTHERS, round);
        Duration patience = slice.compareTo(most) < 0 ? slice : most;
        if (sources.isEmpty()) {
            return pause(patience);
        }
        try {
            return sources.get(round % sources.size()).await(patience) ? EARLY : patience;
        } catch (VerbsException interruptedOrGone) {
            if (interruptedOrGone.errno() == Errno.EDEADLK) {
                throw interruptedOrGone;
            }
            if (interruptedOrGone.errno() == Errno.EINTR) {
                Thread.currentThread().interrupt();
            }
            return patience;
        }
    }

    private static Duration slice(Duration first, int round) {
        int doublings = Math.min(round / ROUNDS_OF_A_LENGTH, Byte.SIZE);
        Duration slice = first.multipliedBy(1L << doublings);
        return slice.compareTo(LONGEST) < 0 ? slice : LONGEST;
    }

    private static Duration pause(Duration patience) {
        try {
            Thread.sleep(Math.max(1, patience.toMillis()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return patience;
    }
}
