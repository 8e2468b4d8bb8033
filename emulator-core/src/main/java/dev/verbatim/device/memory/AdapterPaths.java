// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.verbs.Rule;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Weakness;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The ways from an adapter to the memory domains of its node: what arrives on them, and what waits for what. */
final class AdapterPaths {

    private final MemorySystem system;
    private final Observer adapter;

    /** Of the adapter of that name; {@code all} lets everything arrive that it holds for a domain. */
    AdapterPaths(MemorySystem system, String name, Consumer<MemoryDomain> all) {
        this.system = system;
        this.adapter = system.adapter(name, all);
    }

    MemoryDomain domainOf(long address) {
        return system.domainOf(address);
    }

    /** Whether bytes on one path arrive in the order in which they were accepted, unless they are relaxed (VIS-02). */
    boolean isInOrder() {
        boolean isInOrder = !system.platform().has(Weakness.WRITES_IN_ANY_ORDER);
        system.decided(isInOrder ? Rule.VIS_02 : Rule.VIS_14);
        return isInOrder;
    }

    /** Whether bytes for a domain are there before a completion is (VIS-04). */
    boolean isCoveredByCompletions(MemoryDomain domain) {
        system.decided(Rule.VIS_04);
        return system.platform().isCoveredByCompletions(domain);
    }

    /** Whether a READ or atomic waits for what came through other queue pairs, too (VIS-05). */
    boolean readsCoverAllQueuePairs(MemoryDomain domain) {
        return system.platform().readsCoverAllQueuePairs(domain);
    }

    /** Whether a READ waits for bytes that are relaxed (VIS-05). */
    boolean readPassesRelaxed() {
        return system.platform().has(Weakness.READ_PASSES_RELAXED);
    }

    /** Whether an atomic in a relaxed region waits for bytes that are relaxed (VIS-13). */
    boolean atomicPassesRelaxed() {
        system.decided(Rule.VIS_13);
        return system.platform().has(Weakness.ATOMIC_PASSES_RELAXED);
    }

    /** Bytes were accepted for a domain, or arrived there, or it was looked whether there are any. */
    void touched(MemoryDomain domain) {
        system.pathTouched(adapter, domain);
    }

    /** Bytes are about to be where they arrive. */
    void arriving(long address, long lengthBytes) {
        system.writing(adapter, address, lengthBytes);
    }

    /** What the adapter sees of memory, apart from what it holds itself; null if that is what memory holds. */
    byte @Nullable [] look(long address, int lengthBytes) {
        return system.look(adapter, address, lengthBytes);
    }

    /** The device read bytes that it holds: those of its own that it accepted are seen by it at once (VIS-01). */
    void readThrough() {
        system.decided(Rule.VIS_01);
    }

    /** Relaxed bytes need not wait for those before them (VIS-03). */
    void relaxed() {
        system.decided(Rule.VIS_03);
    }

    /** A READ from a domain was executed. */
    void read(MemoryDomain domain) {
        system.readBy(domain);
    }

    /** A FLUSH was executed. */
    void flushed(long address, long lengthBytes, boolean persistent) {
        system.flushed(address, lengthBytes, persistent);
    }
}
