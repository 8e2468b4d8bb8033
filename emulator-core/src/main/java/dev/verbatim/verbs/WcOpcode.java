// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Operation of a work completion ({@code enum ibv_wc_opcode}); bit 7 marks receives. */
public enum WcOpcode {
    SEND(0),
    RDMA_WRITE(1),
    RDMA_READ(2),
    COMP_SWAP(3),
    FETCH_ADD(4),
    BIND_MW(5),
    LOCAL_INV(6),
    TSO(7),
    FLUSH(8),
    ATOMIC_WRITE(9),
    RECV(128),
    RECV_RDMA_WITH_IMM(129);

    private final int number;

    WcOpcode(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }

    /** Whether this completes a receive work request. */
    public boolean isReceive() {
        return (number & 0x80) != 0;
    }
}
