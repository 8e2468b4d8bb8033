// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

/**
 * Watches what the program that acts does to what observers see in the memory of a node; before it takes effect. What it loads and
 * stores, and what devices do, is told elsewhere.
 */
public interface MemoryInspector {

    /** Ignores everything. */
    MemoryInspector NONE = new MemoryInspector() {};

    /** The CPU starts a kernel of the GPU with that memory. */
    default void launched(MemoryDomain gpu) {}

    /** The CPU has waited for the end of the kernel. */
    default void ended(MemoryDomain gpu) {}

    /** The CPU, or a stream, flushes what adapters wrote into the memory of a GPU. */
    default void flushedForGpu(MemoryDomain gpu, FlushScope scope) {}

    /** A fence of the CPU or a GPU. */
    default void fenced(Observer observer, Scope scope) {}

    /** An acquire of system scope by a GPU. */
    default void acquired(Observer gpu) {}

    /** The CPU writes a range back to persistent memory. */
    default void persisted(long address, long lengthBytes) {}

    /** Power fails. */
    default void powerFails() {}
}
