// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.WcOpcode;

/** What a peer does to memory. */
public enum Operation {
    WRITE(AccessFlags.REMOTE_WRITE, WcOpcode.RDMA_WRITE),
    WRITE_WITH_IMM(AccessFlags.REMOTE_WRITE, WcOpcode.RDMA_WRITE),
    READ(AccessFlags.REMOTE_READ, WcOpcode.RDMA_READ),
    COMPARE_SWAP(AccessFlags.REMOTE_ATOMIC, WcOpcode.COMP_SWAP),
    FETCH_ADD(AccessFlags.REMOTE_ATOMIC, WcOpcode.FETCH_ADD);

    final int right;
    final WcOpcode completedAs;

    Operation(int right, WcOpcode completedAs) {
        this.right = right;
        this.completedAs = completedAs;
    }

    /** Whether it changes one word at once. */
    public boolean isAtomic() {
        return right == AccessFlags.REMOTE_ATOMIC;
    }

    boolean isWrite() {
        return right == AccessFlags.REMOTE_WRITE;
    }
}
