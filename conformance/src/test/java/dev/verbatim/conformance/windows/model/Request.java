// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

/**
 * A request that touches a peer's memory.
 *
 * @param id the caller's number
 * @param signaled whether it completes when it succeeds
 * @param address at the peer
 * @param key of the peer
 * @param local where its bytes come from or go to; {@code localOffset} in it
 * @param compareOrAdd and {@code swap}: operands of atomics
 * @param immediate what a WRITE_WITH_IMM says
 */
public record Request(
        long id,
        boolean signaled,
        Operation operation,
        long address,
        int key,
        Space local,
        int localOffset,
        int lengthBytes,
        long compareOrAdd,
        long swap,
        int immediate) {}
