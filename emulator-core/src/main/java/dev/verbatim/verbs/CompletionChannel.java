// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A completion channel ({@code struct ibv_comp_channel}): where completion queues announce completions (NT-01). */
public interface CompletionChannel extends AutoCloseable {

    /** The next event if there is one; never waits. */
    @Nullable
    CompletionEvent pollEvent();

    /**
     * The next event ({@code ibv_get_cq_event}): waits for it, unless the channel {@linkplain #nonBlocking does not block}.
     *
     * @throws VerbsException EAGAIN if the channel does not block and there is none; otherwise as with patience
     */
    CompletionEvent getEvent();

    /** Whether an event can be fetched at once ({@code poll} of the channel's {@code fd}); looks only, and moves nothing on. */
    boolean hasEvent();

    /** Whether {@link #getEvent()} refuses to wait ({@code O_NONBLOCK} of the channel's {@code fd}); at first it waits. */
    void nonBlocking(boolean value);

    /**
     * Waits for the next event, for so long at most, whether the channel blocks or not.
     *
     * @throws VerbsException ETIMEDOUT if none came within {@code patience}, EINTR if the thread was interrupted, EINVAL if the channel was destroyed meanwhile, EDEADLK
     *     if time is simulated and nothing is left to happen
     */
    CompletionEvent getEvent(Duration patience);

    /**
     * Destroys the channel ({@code ibv_destroy_comp_channel}).
     *
     * @throws VerbsException EBUSY while a completion queue uses it (PD-05), ENOENT if destroyed before
     */
    @Override
    void close();
}
