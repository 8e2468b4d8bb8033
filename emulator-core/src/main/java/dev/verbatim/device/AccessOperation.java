// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AccessFlags;

/** What is about to be done to memory, and the right it takes (MR-10 to MR-12). */
public enum AccessOperation {
    /** Gathering for a SEND or a WRITE: always permitted. */
    LOCAL_READ(0),
    /** Placing what was received, read, or the result of an atomic. */
    LOCAL_WRITE(AccessFlags.LOCAL_WRITE),
    RDMA_WRITE(AccessFlags.REMOTE_WRITE),
    RDMA_READ(AccessFlags.REMOTE_READ),
    ATOMIC(AccessFlags.REMOTE_ATOMIC);

    private final int right;

    AccessOperation(int right) {
        this.right = right;
    }

    /** The {@link AccessFlags} bit that permits it; 0 if none is needed. */
    public int right() {
        return right;
    }
}
