// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A completion event: {@code cq} has news. It must be acknowledged before the queue can be destroyed (NT-06). */
public interface CompletionEvent {

    /** The queue that has news. */
    CompletionQueue cq();

    /**
     * Gives the event back ({@code ibv_ack_cq_events}).
     *
     * @throws IllegalStateException if it was acknowledged before (NT-07)
     */
    void acknowledge();
}
