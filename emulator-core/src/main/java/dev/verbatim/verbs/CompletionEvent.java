// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A completion event of a completion queue. It must be acknowledged before the queue can be destroyed (NT-06). */
public interface CompletionEvent {

    /** The completion queue. */
    CompletionQueue cq();

    /**
     * Acknowledges the event ({@code ibv_ack_cq_events} with 1). The queue only counts acknowledgements: a duplicate is
     * detected when there are more acknowledgements than events.
     *
     * @throws IllegalStateException if all fetched events were acknowledged before (NT-07)
     */
    void acknowledge();
}
