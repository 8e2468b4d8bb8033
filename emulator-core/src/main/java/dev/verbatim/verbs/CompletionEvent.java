// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A completion event: {@code cq} has news. It must be acknowledged before the queue can be destroyed (NT-06). */
public interface CompletionEvent {

    /** The queue that has news. */
    CompletionQueue cq();

    /**
     * Gives the event back ({@code ibv_ack_cq_events} with 1). The queue counts them: that one is given back twice is noticed
     * when more are given back than were taken.
     *
     * @throws IllegalStateException if all that were taken were acknowledged before (NT-07)
     */
    void acknowledge();
}
