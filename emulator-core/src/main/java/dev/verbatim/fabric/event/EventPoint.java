// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.event;

import dev.verbatim.fabric.EndsRun;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A place where events wait to be fetched. A program may have itself told of each event that is added, without fetching it.
 *
 * <p>The code that adds an event takes {@link #callback()} with the monitor held, and {@linkplain #tell tells} it after the monitor is released.
 */
public abstract class EventPoint extends WaitPoint {

    private static final System.Logger LOGGER = System.getLogger(EventPoint.class.getName());

    /** Guarded by the monitor. */
    private @Nullable Callback callback;

    /** Where events are added. */
    protected abstract Lane lane();

    /** How many events wait to be fetched. Called with the monitor held. */
    protected abstract int waiting();

    /** Refuses with EINVAL once nothing can be fetched any more. Called with the monitor held. */
    protected abstract void requireOpen();

    /** As {@link #onReady(Runnable, Runnable)}, by a program that does not ask for what is dropped. */
    public final void onReady(@Nullable Runnable added) {
        onReady(added, () -> {});
    }

    /**
     * Sets who is told of each event that is added, and tells of those that wait already.
     *
     * @param added called once for each event; null for none. When this returns, no call of the one before is under way
     * @param dropped called once for each event that was told of, and that nobody can fetch any more
     */
    public final void onReady(@Nullable Runnable added, Runnable dropped) {
        VerbsException.requireNonNull(dropped, "dropped");
        Callback next = added == null ? null : new Callback(added, dropped);
        Callback before;
        int waiting;
        synchronized (this) {
            if (next != null) {
                requireOpen();
            }
            before = callback;
            callback = next;
            waiting = next == null ? 0 : waiting();
        }
        if (before != null) {
            before.remove();
        }
        for (int i = 0; i < waiting; i++) {
            tell(next);
        }
    }

    /** An event was added, and {@code told} was the callback then. What the callback throws is logged the first time, and makes no difference. */
    protected final void tell(@Nullable Callback told) {
        if (told != null) {
            lane().anythingTouched();
            told.call(told.added);
        }
    }

    /** So many events were dropped that nobody has fetched, and {@code told} was the callback then. */
    protected final void tellDropped(@Nullable Callback told, int count) {
        for (int i = 0; told != null && i < count; i++) {
            lane().anythingTouched();
            told.call(told.dropped);
        }
    }

    /** Removes those of the events that wait and cannot be fetched any more, and tells of each. */
    protected final <E> List<E> drop(Collection<E> waiting, Predicate<E> which) {
        List<E> dropped = new ArrayList<>();
        Callback told;
        synchronized (this) {
            waiting.removeIf(event -> which.test(event) && dropped.add(event));
            told = callback;
        }
        tellDropped(told, dropped.size());
        return dropped;
    }

    /** The callback for an event that is added now; null for none. With the monitor held. */
    protected final @Nullable Callback callback() {
        return callback;
    }

    /** What a program has called once for each event, until it is removed. */
    protected static final class Callback {

        private final Runnable added;
        private final Runnable dropped;
        private boolean removed;
        private boolean failed;

        Callback(Runnable added, Runnable dropped) {
            this.added = added;
            this.dropped = dropped;
        }

        private synchronized void call(Runnable callback) {
            if (removed) {
                return;
            }
            try {
                callback.run();
            } catch (Throwable thrown) {
                if (thrown instanceof EndsRun) {
                    throw thrown;
                }
                failed(thrown);
            }
        }

        private void failed(Throwable thrown) {
            if (failed) {
                return;
            }
            failed = true;
            try {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "a callback for events failed; the device goes on, and later failures of it are not logged",
                        thrown);
            } catch (RuntimeException | Error unsaid) {
                thrown.addSuppressed(unsaid);
            }
        }

        /** No call is under way when this returns, and none follows; one that removes itself ends first. */
        private synchronized void remove() {
            removed = true;
        }
    }
}
