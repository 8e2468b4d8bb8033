// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;

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

    /** A program changed, or looked at, what only programs share. */
    void shared(String object, boolean changed);
}
