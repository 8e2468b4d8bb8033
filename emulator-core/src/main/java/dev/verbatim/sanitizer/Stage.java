// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import org.jspecify.annotations.Nullable;

/**
 * Something that is to happen to writes into the memory of a node before all its observers see them. How far it has come is a
 * {@link VectorClock}: it has happened to the writes that this clock knows.
 *
 * @param memory whose
 * @param who the adapter whose bytes are accepted and arrive, the program's observer that releases its stores, or the GPU that refreshes its view
 * @param domain null for an acceptance and a release
 * @param ordering of the region that the bytes are for; STRICT for all but arrivals
 */
record Stage(
        Kind kind,
        MemorySystem memory,
        Observer who,
        @Nullable MemoryDomain domain,
        Ordering ordering) {

    /** What happens. */
    enum Kind {
        /** An adapter has accepted it, though its requester need not know. */
        ACCEPTANCE,
        /** What an adapter accepted has arrived in the domain. */
        ARRIVAL,
        /** What a program stored has left for its home. */
        RELEASE,
        /** A GPU sees what was at home in the domain. */
        VIEW
    }

    boolean isView() {
        return kind == Kind.VIEW;
    }
}
