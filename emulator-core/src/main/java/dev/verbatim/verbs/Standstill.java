// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Something of a device that does not get on by itself, as it is at one moment ({@link Device#standstills}). This is no failure: who
 * is waited for may only be slow.
 *
 * @param kind what waits
 * @param qpNumber its queue pair; 0 if it has none
 * @param requestId {@code wr_id} of the oldest request, or completion; 0 if it is of none
 * @param reason what is waited for; its causes say what would end that
 */
public record Standstill(Kind kind, int qpNumber, long requestId, Refusal reason) {

    /** What waits, the most urgent first. */
    public enum Kind {
        /** Send requests that were posted and are not done. */
        REQUEST,
        /** A program that posts: the send queue is full of requests that are done. */
        SEND_QUEUE_FULL,
        /** Completions that nobody has polled. */
        COMPLETION,
        /** Nothing: the newest send requests are done, and have no completion. */
        UNSIGNALED,
        /** Receive requests, for messages of the peer. */
        RECEIVE
    }

    @Override
    public String toString() {
        return reason.toString();
    }
}
