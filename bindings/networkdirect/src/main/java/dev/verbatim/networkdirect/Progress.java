// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.fabric.SystemClock;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes progress for all objects of one adapter. It has no thread: a thread that waits for a request, or at a completion port, dispatches
 * the events of all objects. It is woken by each event of theirs, and by each request that another thread has completed.
 */
final class Progress {

    /** What no event announces, such as the end of a device, is looked for as often as this. */
    private static final Duration LONGEST = Duration.ofMillis(64);

    private static final Duration FIRST = Duration.ofMillis(1);

    /** In a simulation one thread dispatches at a time, and time costs nothing. */
    private static final Duration LONGEST_SIMULATED = Duration.ofDays(400);

    /** Slices of a wait for several sources become twice as long after so many in vain, and again, so that a long wait costs little. */
    private static final int ROUNDS_OF_A_LENGTH = 8;

    private static final int MOST_DOUBLINGS = 30;

    private static final int MOST_NAMED = 4;

    /** A thread that waits, in real time. */
    private static final class Waiter extends WaitPoint {

        private boolean woken;

        @Override
        protected boolean ready() {
            return woken;
        }

        synchronized void wake() {
            woken = true;
            signal();
        }

        /** What comes from now on is to be looked at once more. */
        synchronized void lookNow() {
            woken = false;
        }
    }

    private final CompletionDispatcher completions;
    private final ObjectCalls calls;
    private final Duration longest;
    private volatile @Nullable ConnectionDispatcher connections;

    /** In the order in which they came, so that runs of a simulation repeat. */
    private final Set<AwaitedObject> awaited = new CopyOnWriteArraySet<>();

    /** Objects of which a long wait was told: that is done once. */
    private final Set<AwaitedObject> told = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Set<Waiter> waiters = new CopyOnWriteArraySet<>();

    /** Progress of an adapter that has no connections yet. */
    public Progress(CompletionDispatcher completions, ObjectCalls calls) {
        this(completions, calls, LONGEST);
    }

    /**
     * The same.
     *
     * @param longest how long a thread that waits and is not woken parks at most, in real time
     */
    Progress(CompletionDispatcher completions, ObjectCalls calls, Duration longest) {
        this.completions = completions;
        this.calls = calls;
        this.longest = longest;
        if (!calls.isSimulated()) {
            completions.onReady(this::wake);
        }
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

    /** An event has come, or a request was completed: threads that wait look again. */
    public void wake() {
        waiters.forEach(Waiter::wake);
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
        Waiter waiter = new Waiter();
        all.forEach(progress -> progress.waiters.add(waiter));
        try {
            return await(all, waiter, condition, patience);
        } finally {
            all.forEach(progress -> progress.waiters.remove(waiter));
        }
    }

    private static boolean await(List<Progress> all, Waiter waiter, BooleanSupplier condition, Duration patience) {
        long startNanos = nanoTime(all);
        boolean isTold = all.stream().anyMatch(progress -> progress.calls.isSimulated());
        int round = 0;
        while (!condition.getAsBoolean()) {
            waiter.lookNow();
            all.forEach(Progress::dispatch);
            if (condition.getAsBoolean()) {
                return true;
            }
            Duration left = patience.minusNanos(nanoTime(all) - startNanos);
            if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
                all.forEach(Progress::poll);
                return condition.getAsBoolean();
            }
            if (!isTold && nanoTime(all) - startNanos > WaitPoint.LONG_NANOS) {
                isTold = true;
                tell(all);
            }
            if (all.stream().anyMatch(progress -> progress.calls.isSimulated())) {
                parkInSimulation(all, round, left);
            } else {
                park(all, waiter, round, left);
            }
            round++;
        }
        return true;
    }

    /** What the adapters wait for that was not told yet, and what of their devices does not get on. */
    private static void tell(List<Progress> all) {
        List<String> pending = all.stream()
                .flatMap(progress -> progress.awaited.stream().filter(progress.told::add))
                .map(object -> object.pending().get())
                .toList();
        if (!pending.isEmpty()) {
            WaitPoint.logLongWait(() -> Stream.concat(
                            Stream.of("for " + String.join(" and ", pending)),
                            all.stream()
                                    .flatMap(progress -> progress.calls.standstills().stream())
                                    .limit(MOST_NAMED)
                                    .map(Standstill::toString))
                    .collect(Collectors.joining("; ")));
        }
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

    /** Parks until something comes. Devices that a waiting thread drives have their turns one after the other. */
    private static void park(List<Progress> all, Waiter waiter, int round, Duration most) {
        boolean isOnOneLane =
                all.stream().map(progress -> progress.calls.lane()).distinct().count() <= 1;
        Duration longest = all.isEmpty() ? LONGEST : all.get(0).longest;
        sources(all).forEach(Dispatcher::tellOfWait);
        long nanos = least(isOnOneLane ? longest : slice(FIRST, round, longest), most)
                .toNanos();
        try {
            if (all.isEmpty() || !isAwaited(all.get(round % all.size()).calls, waiter, nanos)) {
                boolean unused = waiter.park(SystemClock.INSTANCE, nanos);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Parks on the device; false if it is gone. */
    private static boolean isAwaited(ObjectCalls calls, Waiter waiter, long nanos) {
        try {
            return calls.await(waiter, nanos);
        } catch (VerbsException interruptedOrGone) {
            requireNoDeadlock(interruptedOrGone);
            return false;
        }
    }

    /** Parks at one source after the other, so that what is never to come is found out. */
    private static void parkInSimulation(List<Progress> all, int round, Duration most) {
        List<Dispatcher> sources = sources(all);
        Duration first = sources.size() == 1 ? FIRST.multipliedBy(4) : FIRST;
        Duration patience = least(slice(first, round, LONGEST_SIMULATED), most);
        long beforeNanos = nanoTime(all);
        if (comes(sources.get(round % sources.size()), patience)) {
            return;
        }
        // A source that is gone does not keep anybody waiting.
        Duration left = patience.minusNanos(nanoTime(all) - beforeNanos);
        if (left.compareTo(patience.dividedBy(2)) > 0 && !Thread.currentThread().isInterrupted()) {
            all.forEach(progress -> progress.calls.progress());
        }
    }

    private static boolean comes(Dispatcher source, Duration patience) {
        try {
            return source.await(patience);
        } catch (VerbsException interruptedOrGone) {
            requireNoDeadlock(interruptedOrGone);
            return false;
        }
    }

    private static void requireNoDeadlock(VerbsException end) {
        if (end.errno() == Errno.EDEADLK) {
            throw end;
        }
        if (end.errno() == Errno.EINTR) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration slice(Duration first, int round, Duration longest) {
        int doublings = Math.min(round / ROUNDS_OF_A_LENGTH, MOST_DOUBLINGS);
        return least(first.multipliedBy(1L << doublings), longest);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
