// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An asynchronous event ({@code struct ibv_async_event}). Exactly one {@link #acknowledge()} is owed for each; until
 * then the element it is about cannot be destroyed (AE-20).
 */
public interface AsyncEvent {

    /** What happened. */
    EventType type();

    /** The queue pair it is about, if it is about one. */
    @Nullable
    QueuePair queuePair();

    /** The completion queue it is about, if it is about one. */
    @Nullable
    CompletionQueue completionQueue();

    /** The shared receive queue it is about, if it is about one. */
    @Nullable
    SharedReceiveQueue sharedReceiveQueue();

    /** The port it is about, from 1; 0 if it is about none. */
    int portNumber();

    /** Why it happened, where the device refused something. */
    @Nullable
    Refusal refusal();

    /**
     * Gives the event back.
     *
     * @throws IllegalStateException if it was acknowledged before
     */
    void acknowledge();
}
