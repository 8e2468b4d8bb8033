// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.List;

/**
 * A memory window ({@code struct ibv_mw}): rights on a part of a region that can be given and taken again by work requests.
 * Ranges and rights of an access through it are the window's, never the region's (MW-54, MW-107).
 */
public interface MemoryWindow extends AutoCloseable {

    /** The domain it was allocated in. */
    ProtectionDomain pd();

    /** Its type. */
    MemoryWindowType type();

    /** Its number on its device, from 1, never used again; what explanations call it by. */
    int handle();

    /**
     * Its key as libibverbs has it in {@code mw->rkey}: of type 1 the key of the bind that was posted last, from the
     * moment it is posted (MW-20), also if it fails later (MW-21); of type 2 the key given at allocation, of which only the upper
     * 24 bits count (MW-30, MW-31).
     */
    int rkey();

    /**
     * The key that a peer can use now: that of the last bind that executed and succeeded (MW-21); before the first bind the key given at
     * allocation.
     */
    int currentRkey();

    /**
     * What became of it, oldest first: each binding, with where it was, who made it and what ended it. Only as much as the
     * device remembers of keys that were revoked, and the present binding.
     */
    List<WindowBinding> life();

    /**
     * Deallocates the window in any state ({@code ibv_dealloc_mw}). After the return no byte is touched through its key
     * (MW-06, MW-07).
     *
     * @throws VerbsException ENOENT if deallocated before (MW-06)
     */
    @Override
    void close();
}
