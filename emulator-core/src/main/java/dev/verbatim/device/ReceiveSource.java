// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import org.jspecify.annotations.Nullable;

/**
 * Where a queue pair finds the receive requests for messages that need one, a queue of its own or a shared one, and where they
 * complete. On the lane.
 */
public abstract class ReceiveSource {

    /** Where its requests complete. */
    abstract CompletionOutput completions();

    /** The request that the next message takes; null if there is none. Nothing is taken by looking. */
    public abstract @Nullable ReceiveWqe oldest();

    /** A message begins to fill the {@link #oldest()} request: from now on it is this queue pair's own (SRQ-07). */
    public abstract ReceiveWqe take();

    /** The request that was taken, or else the oldest, is done; its slot may be another's. Returns its number. */
    abstract long completeOldest();

    /** The oldest request that is the queue pair's own, and goes with it when it fails; null if there is none (QP-22). */
    abstract @Nullable ReceiveWqe oldestOwn();

    /** Forgets what is the queue pair's own (QP-24). */
    abstract void clear();

    /** Whether it is a shared queue that the queue pair was made with (QP-25). */
    boolean isShared() {
        return false;
    }

    /** The queue pair comes to use it. */
    void begin() {}

    /** The queue pair is destroyed. */
    void end() {}
}
