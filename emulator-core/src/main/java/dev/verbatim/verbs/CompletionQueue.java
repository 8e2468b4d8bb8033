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

    /** Room for this many completions. */
    int entries();

    /** The caller's own object. */
    @Nullable
    Object context();

    /**
     * Makes room for another number of completions ({@code ibv_resize_cq}); those that wait stay, in their order (CQ-02).
     *
     * @param entries room asked for, from 1; the granted room is at least as large
     * @throws VerbsException EINVAL if it is out of range, or less than the completions that wait; nothing has changed then
     */
    void resize(int entries);

    /** Where its completion events go, if anywhere. */
    @Nullable
    CompletionChannel channel();

    /**
     * Moves completions into {@code holders}, oldest first ({@code ibv_poll_cq}). Never waits; allocates nothing. An
     * empty array only lets the device make progress.
     *
     * @return how many were filled, from 0
     * @throws VerbsException EIO once the queue was overrun and its good completions are gone (CQ-03), EINVAL if it was
     *     destroyed
     */
    int poll(WorkCompletion[] holders);

    /** The convenient form: fresh values, at most {@code most} of them. */
    List<WorkCompletion> poll(int most);

    /**
     * Polls until a completion comes: spins for a moment, since most come soon, and then parks.
     *
     * @throws VerbsException ETIMEDOUT if none came within {@code patience}, EINTR if the thread was interrupted, EINVAL if the queue
     *     was destroyed meanwhile, EIO as {@link #poll(WorkCompletion[])}, EDEADLK if time is simulated and nothing is left to happen
     */
    WorkCompletion awaitCompletion(Duration patience);

    /**
     * Asks for one completion event ({@code ibv_req_notify_cq}): for the next completion that is added, or, with
     * {@code solicitedOnly}, for the next solicited receive or failure (NT-01, NT-02). Completions that are there
     * already raise none: poll once more after asking.
     */
    void requestNotify(boolean solicitedOnly);

    /**
     * Gives back so many of the events of this queue that were taken from its channel ({@code ibv_ack_cq_events}, NT-06).
     *
     * @throws IllegalStateException if fewer are owed (NT-07); none is given back then
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
