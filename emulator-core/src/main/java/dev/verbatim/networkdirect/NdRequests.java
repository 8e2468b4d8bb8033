// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one queue that are outstanding: what each was, and the context that its result gives back. Verbs echo a number of 64 bits;
 * it says here which queue, and which of its requests.
 */
abstract sealed class NdRequests permits NdRequestRing, NdReceivePool {

    private final @Nullable NdQueuePair owner;
    private long tag;

    NdRequests(@Nullable NdQueuePair owner) {
        this.owner = owner;
    }

    /** The queue pair, unless the receives are shared. */
    final @Nullable NdQueuePair owner() {
        return owner;
    }

    /** The upper half of its requests' numbers; set once, when it is put into the table. */
    final void tag(long value) {
        tag = value;
    }

    final long tag() {
        return tag;
    }

    /** The number that verbs echo. */
    final long id(int number) {
        return tag | Integer.toUnsignedLong(number);
    }

    abstract @Nullable Object context(int number);

    abstract NdRequestType type(int number);

    /** Whether nobody is to hear of its success. */
    abstract boolean isSilent(int number);

    /** The window that it binds or invalidates. */
    abstract @Nullable NdMemoryWindow window(int number);

    /** Its result was taken: its place is free, and in a queue those of the requests before it. */
    abstract void taken(int number);
}
