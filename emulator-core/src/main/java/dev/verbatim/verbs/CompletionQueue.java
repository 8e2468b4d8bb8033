// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue ({@code struct ibv_cq}). */
public interface CompletionQueue extends AutoCloseable {

    /** The device it belongs to. */
    Device device();

    /** The number of completions that the queue can hold. */
    int entries();

    /** The context object of the caller. */
    @Nullable
    Object context();

    /**
     * Resizes the queue ({@code ibv_resize_cq}). Completions in the queue and their order are kept (CQ-02).
     *
     * @param entries requested size, from 1; the granted size is at least as large
     * @throws VerbsException EINVAL if the size is out of range, or less than the number of completions in the
     *     queue; nothing has changed then
     */
    void resize(int entries);

    /** The channel of its completion events, if any. */
    @Nullable
    CompletionChannel channel();

    /**
     * Moves completions into {@code holders}, oldest first ({@code ibv_poll_cq}). Never waits and never allocates. A
     * call with an empty array only lets the device make progress.
     *
     * @return number of filled holders
     * @throws VerbsException EIO if the queue was overrun and all its valid completions were polled (CQ-03), EINVAL
     *     if it was destroyed
     */
    int poll(WorkCompletion[] holders);

    /** Polls at most {@code most} completions into new objects. */
    List<WorkCompletion> poll(int most);

    /**
     * Waits for a completion: polls for a short time, because most completions arrive soon, and then parks the thread.
     *
     * @throws VerbsException ETIMEDOUT if none came within {@code patience}, EINTR if the thread was interrupted,
     *     EINVAL if the queue was destroyed meanwhile, EIO as {@link #poll(WorkCompletion[])}, EDEADLK if time is
     *     simulated and nothing is left to happen
     */
    WorkCompletion awaitCompletion(Duration patience);

    /**
     * Requests one completion event ({@code ibv_req_notify_cq}): for the next completion that is added, or, with
     * {@code solicitedOnly}, for the next solicited receive or failure (NT-01, NT-02). Completions that are already in
     * the queue raise no event; poll once more after this call.
     */
    void requestNotify(boolean solicitedOnly);

    /**
     * Acknowledges a number of events of this queue ({@code ibv_ack_cq_events}, NT-06).
     *
     * @throws IllegalStateException if fewer events are unacknowledged (NT-07); none is acknowledged then
     */
    void acknowledgeEvents(int count);

    /**
     * Destroys the queue ({@code ibv_destroy_cq}).
     *
     * @throws VerbsException EBUSY while a queue pair uses it (PD-04) or events of it are not acknowledged (NT-06),
     *     ENOENT if destroyed before
     */
    @Override
    void close();
}
