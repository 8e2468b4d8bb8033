// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.operation.Effect;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/** What is about to be done to memory, and the right it takes (MR-10 to MR-12). */
public enum AccessOperation {
    /** Gathering for a SEND or a WRITE: always permitted. */
    LOCAL_READ(0),
    /** Placing what was received, read, or the result of an atomic. */
    LOCAL_WRITE(AccessFlags.LOCAL_WRITE),
    RDMA_WRITE(Effect.WRITE.right),
    RDMA_READ(Effect.READ.right),
    ATOMIC(Effect.ATOMIC.right),
    ATOMIC_WRITE(Effect.ATOMIC_WRITE.right),
    /** FLUSH, by its placement type (NW-02). */
    FLUSH_GLOBAL(AccessFlags.FLUSH_GLOBAL),
    FLUSH_PERSISTENT(AccessFlags.FLUSH_PERSISTENT),
    FLUSH_GLOBAL_AND_PERSISTENT(Effect.FLUSH.right);

    /** The {@link AccessFlags} that permit it; 0 if none is needed. */
    final int right;

    AccessOperation(int right) {
        this.right = right;
    }

    /** What a request does to the memory of the peer; null for one that names none of it. */
    public static @Nullable AccessOperation of(Effect effect, Packet packet) {
        return switch (effect) {
            case WRITE -> RDMA_WRITE;
            case READ -> RDMA_READ;
            case ATOMIC -> ATOMIC;
            case ATOMIC_WRITE -> ATOMIC_WRITE;
            case FLUSH -> ofFlush(packet.flushType());
            case RECEIVE, BIND, INVALIDATE, NOTHING -> null;
        };
    }

    private static AccessOperation ofFlush(int type) {
        return switch (type) {
            case FlushTarget.GLOBAL -> FLUSH_GLOBAL;
            case FlushTarget.PERSISTENT -> FLUSH_PERSISTENT;
            default -> FLUSH_GLOBAL_AND_PERSISTENT;
        };
    }

    /** Whether its address must be a multiple of 8 (WR-35, NW-01). */
    boolean isOfAWord() {
        return this == ATOMIC || this == ATOMIC_WRITE;
    }

    /** Whether key and right count although no byte is named (NW-02); otherwise they do not (MR-31). */
    public boolean isFlush() {
        return this == FLUSH_GLOBAL || this == FLUSH_PERSISTENT || this == FLUSH_GLOBAL_AND_PERSISTENT;
    }
}
