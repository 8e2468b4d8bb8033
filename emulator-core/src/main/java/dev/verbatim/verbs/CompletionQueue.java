// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue ({@code struct ibv_cq}). */
public interface CompletionQueue extends AutoCloseable {

    /**
     * A field of completions: they have a {@linkplain WorkCompletion#timestampNanos timestamp}
     * ({@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP}, CQ-06).
     */
    int WITH_TIMESTAMP = 1 << 7;

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

    /**
     * Has an event wait for several completions ({@code ibv_modify_cq}): it is raised when there are {@code count} completions that it
     * is for, or {@code periodMicros} after the first of them. With a count below 2 or a period of 0 no event waits (CQ-07).
     *
     * @param count 0 to 65535
     * @param periodMicros 0 to 65535
     * @throws VerbsException EINVAL if a number is out of range, or the queue was destroyed
     */
    void moderate(int count, int periodMicros);

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
     * What whoever waits for a completion here waits for at this moment, and in the causes what would end that, where it is known; null if no
     * queue pair completes here. Does not wait.
     */
    default @Nullable Refusal reasonOfWait() {
        return null;
    }

    /**
     * Destroys the queue ({@code ibv_destroy_cq}).
     *
     * @throws VerbsException EBUSY while a queue pair uses it (PD-04) or events of it are not acknowledged (NT-06),
     *     ENOENT if destroyed before
     */
    @Override
    void close();
}
