// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Carries on what is pending at the objects of one adapter. There is no thread behind it: whoever waits for a request, or at a completion
 * port, does the work for all, in slices short enough to see what others have done for him.
 */
final class NdProgress {

    private static final Duration ALONE = Duration.ofMillis(4);
    private static final Duration AMONG_OTHERS = Duration.ofMillis(1);

    /** Slices become twice as long after so many in vain, and again, so that a long wait costs little. */
    private static final int ROUNDS_OF_A_LENGTH = 8;

    private static final Duration LONGEST = Duration.ofMillis(64);

    /** What a round counts that ended early; nobody measures time here. */
    private static final Duration EARLY = Duration.ofNanos(10_000);

    private final NdCompletionNews completions;
    private final Runnable connections;
    private final Set<NdOverlappedObject> awaited = ConcurrentHashMap.newKeySet();

    /**
     * Progress of an adapter.
     *
     * @param connections takes the news of connections, of which completions may come, whether or not somebody waits for them
     */
    NdProgress(NdCompletionNews completions, Runnable connections) {
        this.completions = completions;
        this.connections = connections;
    }

    /** Requests of the object are pending from now on. */
    void add(NdOverlappedObject object) {
        awaited.add(object);
    }

    /** None of its requests is pending any more. */
    void remove(NdOverlappedObject object) {
        awaited.remove(object);
    }

    /** The objects that have requests pending. */
    Set<NdOverlappedObject> awaited() {
        return Set.copyOf(awaited);
    }

    /** Lets the fabric go on, takes all news, and lets each object look for what comes without. */
    void poll() {
        completions.poll();
        take();
    }

    private void take() {
        completions.take();
        connections.run();
        for (NdOverlappedObject object : awaited) {
            object.news().take();
            object.look();
        }
    }

    /** Waits until something is so; false if it is not when the patience is over, or when the thread is interrupted. */
    boolean await(BooleanSupplier condition, Duration patience) {
        return await(List.of(this), condition, patience);
    }

    static boolean await(List<NdProgress> all, BooleanSupplier condition, Duration patience) {
        Duration left = patience;
        int round = 0;
        while (!condition.getAsBoolean()) {
            all.forEach(NdProgress::take);
            if (condition.getAsBoolean()) {
                return true;
            }
            if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
                all.forEach(NdProgress::poll);
                return condition.getAsBoolean();
            }
            left = left.minus(parkAt(sources(all), round++, left));
        }
        return true;
    }

    private static List<NdNews> sources(List<NdProgress> all) {
        List<NdNews> sources = all.stream()
                .flatMap(progress -> progress.awaited.stream())
                .map(NdOverlappedObject::news)
                .distinct()
                .toList();
        return sources.isEmpty()
                ? all.stream().<NdNews>map(progress -> progress.completions).toList()
                : sources;
    }

    /** Parks where something may come; returns how much patience that took. */
    private static Duration parkAt(List<NdNews> sources, int round, Duration most) {
        Duration slice = slice(sources.size() == 1 ? ALONE : AMONG_OTHERS, round);
        Duration patience = slice.compareTo(most) < 0 ? slice : most;
        if (sources.isEmpty()) {
            return pause(patience);
        }
        try {
            return sources.get(round % sources.size()).park(patience) ? EARLY : patience;
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
