// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.fabric.SystemClock;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes progress for all objects of one adapter. It has no thread: a thread that waits for a request, or at a completion port, dispatches
 * the events of all objects, and waits in slices that are short enough to notice what other threads have dispatched.
 */
final class Progress {

    private static final Duration ALONE = Duration.ofMillis(4);
    private static final Duration AMONG_OTHERS = Duration.ofMillis(1);

    /** Slices become twice as long after so many in vain, and again, so that a long wait costs little. */
    private static final int ROUNDS_OF_A_LENGTH = 8;

    private static final Duration LONGEST = Duration.ofMillis(64);

    /** Simulated time costs nothing, and one thread dispatches at a time. */
    private static final Duration LONGEST_SIMULATED = Duration.ofDays(400);

    private static final int MOST_DOUBLINGS = 30;

    private final CompletionDispatcher completions;
    private final ObjectCalls calls;
    private volatile @Nullable ConnectionDispatcher connections;

    /** In the order in which they came, so that runs of a simulation repeat. */
    private final Set<AwaitedObject> awaited = new CopyOnWriteArraySet<>();

    /** Progress of an adapter that has no connections yet. */
    public Progress(CompletionDispatcher completions, ObjectCalls calls) {
        this.completions = completions;
        this.calls = calls;
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

    /** A program looked at what the objects of the adapter delivered, or changed it. */
    public void touched() {
        calls.touched();
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
        long startNanos = nanoTime(all);
        int round = 0;
        while (!condition.getAsBoolean()) {
            all.forEach(Progress::dispatch);
            if (condition.getAsBoolean()) {
                return true;
            }
            Duration left = patience.minusNanos(nanoTime(all) - startNanos);
            if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
                all.forEach(Progress::poll);
                return condition.getAsBoolean();
            }
            park(all, round++, left);
        }
        return true;
    }

    private static long nanoTime(List<Progress> all) {
        return all.isEmpty()
                ? SystemClock.INSTANCE.nanoTime()
                : all.get(0).calls.nanoTime();
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

    /** Parks where something may come. */
    private static void park(List<Progress> all, int round, Duration most) {
        List<Dispatcher> sources = sources(all);
        boolean isSimulated = all.stream().anyMatch(progress -> progress.calls.isSimulated());
        Duration slice = slice(sources.size() == 1 ? ALONE : AMONG_OTHERS, round, isSimulated);
        Duration patience = slice.compareTo(most) < 0 ? slice : most;
        long beforeNanos = nanoTime(all);
        if (!sources.isEmpty() && comes(sources.get(round % sources.size()), patience)) {
            return;
        }
        // A source that is gone does not keep anybody waiting.
        Duration left = patience.minusNanos(nanoTime(all) - beforeNanos);
        if (left.compareTo(patience.dividedBy(2)) <= 0 || Thread.currentThread().isInterrupted()) {
            return;
        }
        if (isSimulated) {
            all.forEach(progress -> progress.calls.progress());
        } else {
            pause(left);
        }
    }

    private static boolean comes(Dispatcher source, Duration patience) {
        try {
            return source.await(patience);
        } catch (VerbsException interruptedOrGone) {
            if (interruptedOrGone.errno() == Errno.EDEADLK) {
                throw interruptedOrGone;
            }
            if (interruptedOrGone.errno() == Errno.EINTR) {
                Thread.currentThread().interrupt();
            }
            return false;
        }
    }

    private static Duration slice(Duration first, int round, boolean isSimulated) {
        Duration longest = isSimulated ? LONGEST_SIMULATED : LONGEST;
        int doublings = Math.min(round / ROUNDS_OF_A_LENGTH, MOST_DOUBLINGS);
        Duration slice = first.multipliedBy(1L << doublings);
        return slice.compareTo(longest) < 0 ? slice : longest;
    }

    private static void pause(Duration patience) {
        try {
            Thread.sleep(Math.max(1, patience.toMillis()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
