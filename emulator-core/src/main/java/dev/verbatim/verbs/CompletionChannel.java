// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A completion channel ({@code struct ibv_comp_channel}): delivers completion events of completion queues (NT-01). */
public interface CompletionChannel extends AutoCloseable {

    /** Returns the next event, or null if there is none; never waits. */
    @Nullable
    CompletionEvent pollEvent();

    /**
     * Returns the next event ({@code ibv_get_cq_event}). Waits for it, unless the channel is
     * {@linkplain #nonBlocking non-blocking}.
     *
     * @throws VerbsException EAGAIN if the channel is non-blocking and there is no event; otherwise as
     *     {@link #getEvent(Duration)}
     */
    CompletionEvent getEvent();

    /** Whether an event is available ({@code poll} of the channel's {@code fd}). Does not make the device progress. */
    boolean hasEvent();

    /**
     * Sets a callback for programs that wait elsewhere, as for a descriptor of their own. It is called once for each event that is
     * added, and here at once for each that waits already. It fetches nothing: an event that was told of is fetched by
     * {@link #pollEvent} or {@link #getEvent}, and only then has to be acknowledged.
     *
     * <p>Fewer events can be fetched than were told of: those of a completion queue that is destroyed go unfetched, of which
     * {@link #onReady(Runnable, Runnable)} tells, too. Closing the channel is not told.
     *
     * @param callback called on the thread that adds the event, most often that on which the device runs; must not wait, nor call verbs
     *     other than {@link #hasEvent}. What it throws is logged the first time and otherwise ignored. Null removes it; when this
     *     returns, no call of the one before is under way, and none follows
     * @throws VerbsException EINVAL if the channel was destroyed, unless the callback is null
     */
    void onReady(@Nullable Runnable callback);

    /**
     * As {@link #onReady(Runnable)}, with another callback for events that were told of and cannot be fetched any more. With both, a
     * descriptor can be kept readable once for each event that waits.
     *
     * @param dropped called once for each such event
     * @throws VerbsException also EINVAL if {@code dropped} is null
     */
    void onReady(@Nullable Runnable added, Runnable dropped);

    /**
     * Sets whether {@link #getEvent()} fails instead of waiting ({@code O_NONBLOCK} of the channel's {@code fd}); the
     * default is to wait.
     */
    void nonBlocking(boolean value);

    /**
     * Waits for the next event, for at most {@code patience}, even if the channel is non-blocking.
     *
     * @throws VerbsException ETIMEDOUT if none came within {@code patience}, EINTR if the thread was interrupted,
     *     EINVAL if the channel was destroyed meanwhile, EDEADLK if time is simulated and nothing is left to happen
     */
    CompletionEvent getEvent(Duration patience);

    /**
     * What whoever waits for an event here waits for at this moment, and in the causes what would end that, where it is known; null if this
     * says nothing of it. Does not wait.
     */
    default @Nullable Refusal reasonOfWait() {
        return null;
    }

    /**
     * Destroys the channel ({@code ibv_destroy_comp_channel}).
     *
     * @throws VerbsException EBUSY while a completion queue uses it (PD-05), ENOENT if destroyed before
     */
    @Override
    void close();
}
