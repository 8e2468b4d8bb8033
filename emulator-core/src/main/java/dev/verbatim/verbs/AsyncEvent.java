// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An asynchronous event ({@code struct ibv_async_event}). Each event must be {@linkplain #acknowledge() acknowledged}
 * exactly once; until then the affected object cannot be destroyed (AE-20).
 */
public interface AsyncEvent {

    /** The type of the event. */
    EventType type();

    /** The affected queue pair, if any. */
    @Nullable
    QueuePair queuePair();

    /** The affected completion queue, if any. */
    @Nullable
    CompletionQueue completionQueue();

    /** The affected shared receive queue, if any. */
    @Nullable
    SharedReceiveQueue sharedReceiveQueue();

    /** The affected port, from 1; 0 if none. */
    int portNumber();

    /** The reason, if the event was caused by a refusal. */
    @Nullable
    Refusal refusal();

    /**
     * Acknowledges the event ({@code ibv_ack_async_event}).
     *
     * @throws IllegalStateException if it was acknowledged before
     */
    void acknowledge();
}
