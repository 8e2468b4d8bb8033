// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.List;

/**
 * A memory window ({@code struct ibv_mw}): grants remote access to a part of a region; work requests bind and
 * invalidate it. Accesses are checked with range and rights of the window, not of the region (MW-54, MW-107).
 */
public interface MemoryWindow extends AutoCloseable {

    /** The protection domain. */
    ProtectionDomain pd();

    /** Its type. */
    MemoryWindowType type();

    /** The number of the window on its device, from 1, never reused; used in explanations. */
    int handle();

    /**
     * The key as in {@code mw->rkey} of libibverbs. Type 1: the key of the last posted bind, as soon as it is posted
     * (MW-20), even if it fails later (MW-21). Type 2: the key from the allocation, of which only the upper 24 bits are
     * used (MW-30, MW-31).
     */
    int rkey();

    /**
     * The key that is currently valid: that of the last successfully executed bind (MW-21); before the first bind the
     * key from the allocation.
     */
    int currentRkey();

    /**
     * The history of the window, oldest first: for each binding its range, its queue pair, and how it ended. It
     * contains the current binding, and the revoked bindings that the device still remembers.
     */
    List<WindowBinding> life();

    /**
     * Deallocates the window in any state ({@code ibv_dealloc_mw}). After the return no byte is accessed with its key
     * (MW-06, MW-07).
     *
     * @throws VerbsException ENOENT if deallocated before (MW-06)
     */
    @Override
    void close();
}
