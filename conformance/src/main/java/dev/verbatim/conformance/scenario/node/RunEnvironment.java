// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.MemorySystem;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What surrounds the nodes of a run: the links between them, and the observer of what programs do. */
public interface RunEnvironment {

    /** Loses everything between the two. */
    void cut(Gid a, Gid b);

    /** Ends that. */
    void heal(Gid a, Gid b);

    /**
     * The program of a node loaded or stored bytes.
     *
     * @param address of the memory
     */
    void touched(String node, boolean store, long address, ByteBuffer data);

    /** A program waited until the word at that address of the memory had the value that it has, and loads it next. */
    default void awaited(long address) {}

    /** The memory of a node whose observers may see different things; null where all bytes appear to all at once. */
    default @Nullable MemorySystem memorySystem(String node) {
        return null;
    }

    /** Whether stores of threads reach memory by and by, where the node's CPU has store buffers. */
    default boolean drainsStores() {
        return false;
    }

    /** The power of a node fails. */
    default void powerFails(String node) {
        throw VerbsException.of(Errno.EOPNOTSUPP, Rule.N_06, "power fails in simulations only; run on fabric sim");
    }

    /** A program changed, or looked at, what only programs share. */
    void shared(String object, boolean changed);
}
