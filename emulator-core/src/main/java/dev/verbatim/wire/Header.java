// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** A transport header and its size. {@link Opcode} defines which packet carries which headers, and where. */
public enum Header {
    /** Base transport header: first in every packet. */
    BTH(12),
    /** RDMA extended header: remote address, R_Key and length of a WRITE, READ, FLUSH or ATOMIC WRITE. */
    RETH(16),
    /** Atomic extended header: remote address, R_Key and the two operands. */
    ATOMIC_ETH(28),
    /** Acknowledge extended header: syndrome and message sequence number. */
    AETH(4),
    /** Atomic acknowledge extended header: the value of the memory before the atomic. */
    ATOMIC_ACK_ETH(8),
    /** Immediate data. */
    IMM_DT(4),
    /** Invalidate extended header: the R_Key that the receiver is to invalidate. */
    IETH(4),
    /** Flush extended header: placement type and selectivity level. */
    FETH(4),
    /** Datagram extended header: Q_Key and source queue pair of a UD packet. */
    DETH(8),
    /** XRC extended header: the number of the shared receive queue that an XRC request is for. */
    XRCETH(4);

    private final int sizeBytes;

    Header(int sizeBytes) {
        this.sizeBytes = sizeBytes;
    }

    /** Returns the size in bytes, always a multiple of 4. */
    public int sizeBytes() {
        return sizeBytes;
    }
}
