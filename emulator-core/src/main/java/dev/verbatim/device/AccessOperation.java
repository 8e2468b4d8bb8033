// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.wire.Opcode;
import org.jspecify.annotations.Nullable;

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

    /** What a request does to the memory of the peer; null for one that names none of it. */
    public static @Nullable AccessOperation of(Opcode opcode) {
        return switch (opcode.kind()) {
            case RDMA_WRITE -> RDMA_WRITE;
            case RDMA_READ -> RDMA_READ;
            case ATOMIC -> ATOMIC;
            default -> null;
        };
    }

    /** The {@link AccessFlags} bit that permits it; 0 if none is needed. */
    public int right() {
        return right;
    }
}
