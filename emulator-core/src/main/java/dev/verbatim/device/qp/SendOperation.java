// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WrOpcode;

/** What kind of request each opcode of a send queue is: one row for each, which its slot keeps. */
enum SendOperation {
    MESSAGE(WcOpcode.SEND),
    WRITE(WcOpcode.RDMA_WRITE),
    READ(WcOpcode.RDMA_READ),
    COMPARE_AND_SWAP(WcOpcode.COMP_SWAP),
    FETCH_AND_ADD(WcOpcode.FETCH_ADD),
    BIND(WcOpcode.BIND_MW),
    LOCAL_INVALIDATE(WcOpcode.LOCAL_INV),
    FLUSH(WcOpcode.FLUSH),
    ATOMIC_WRITE(WcOpcode.ATOMIC_WRITE);

    /** What its completion says it was. */
    final WcOpcode completion;

    /** Whether it is done here, without packets (MW-63, ORD-20). */
    final boolean isLocal;

    /** Whether elements and INLINE mean nothing to it (WR-39, NW-02). */
    final boolean hasNoData;

    final boolean isAtomic;

    /** Whether its response brings bytes for its elements. */
    final boolean returnsData;

    /** Whether it is completed by its response and not by an acknowledgement (ACK-02). */
    final boolean expectsResponse;

    SendOperation(WcOpcode completion) {
        this.completion = completion;
        this.isLocal = completion == WcOpcode.BIND_MW || completion == WcOpcode.LOCAL_INV;
        this.hasNoData = isLocal || completion == WcOpcode.FLUSH;
        this.isAtomic = completion == WcOpcode.COMP_SWAP || completion == WcOpcode.FETCH_ADD;
        this.returnsData = isAtomic || completion == WcOpcode.RDMA_READ;
        this.expectsResponse = returnsData || completion == WcOpcode.FLUSH || completion == WcOpcode.ATOMIC_WRITE;
    }

    /** Whether a request of this opcode, which is of this kind, has neither immediate data nor a key to invalidate, and is for the peer. */
    boolean isPlain(WrOpcode opcode) {
        return switch (this) {
            case MESSAGE -> opcode == WrOpcode.SEND;
            case WRITE -> opcode == WrOpcode.RDMA_WRITE;
            case READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> true;
            default -> false;
        };
    }

    static SendOperation of(WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WRITE;
            case RDMA_READ -> READ;
            case ATOMIC_CMP_AND_SWP -> COMPARE_AND_SWAP;
            case ATOMIC_FETCH_AND_ADD -> FETCH_AND_ADD;
            case BIND_MW -> BIND;
            case LOCAL_INV -> LOCAL_INVALIDATE;
            case FLUSH -> FLUSH;
            case ATOMIC_WRITE -> ATOMIC_WRITE;
            default -> MESSAGE;
        };
    }
}
