// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import org.jspecify.annotations.Nullable;

/**
 * Who loads from the memory of a node, and stores to it.
 *
 * @param kind what it is
 * @param name unique in the simulation, such as {@code b/gpu0}
 * @param own the domain of a GPU; null for others
 */
public record Observer(Kind kind, String name, @Nullable MemoryDomain own) {

    /** What an observer is. */
    public enum Kind {
        /** The programs of the host, coherent with each other. */
        CPU,
        /** The kernels of a GPU, coherent with each other. */
        GPU,
        /** An adapter: it reads sources and what peers ask for, and writes what comes. */
        ADAPTER,
        /** What a node finds in its persistent memory after a power failure. */
        POWER
    }

    @Override
    public String toString() {
        return name;
    }
}
