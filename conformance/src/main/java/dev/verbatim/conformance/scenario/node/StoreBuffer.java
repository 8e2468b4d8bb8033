// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.operand.Place;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The words that one thread of a CPU stored and memory does not have yet, oldest first (x86-TSO). The thread loads from it what it stored
 * last to the same word; other threads, and devices, see it when it has drained.
 */
public final class StoreBuffer {

    private final String name;
    private final NodeMemory memory;
    private final RunEnvironment environment;
    private final Deque<Store> stores = new ArrayDeque<>();

    private record Store(Place place, long address, long value) {}

    /**
     * Empty.
     *
     * @param name one of its own in the run
     */
    public StoreBuffer(String name, NodeMemory memory, RunEnvironment environment) {
        this.name = name;
        this.memory = memory;
        this.environment = environment;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Whether memory has everything. */
    public boolean isEmpty() {
        return stores.isEmpty();
    }

    /** The thread goes on, as memory has everything. */
    public void foundEmpty() {
        environment.shared(name, false);
    }

    /** The thread stores a word. */
    public void store(Place word, long value) {
        Store store = new Store(word, memory.memoryAddress(word), value);
        environment.shared(storesOf(store.address), true);
        stores.add(store);
    }

    /** The thread loads a word: what it stored last, or what memory has. */
    public long load(Place word) {
        environment.shared(storesOf(memory.memoryAddress(word)), false);
        Long own = newest(word);
        return own == null ? memory.load(null, word) : own;
    }

    /** What the thread would load now. */
    public long look(Place word) {
        Long own = newest(word);
        return own == null ? memory.look(word) : own;
    }

    private @Nullable Long newest(Place word) {
        long address = memory.memoryAddress(word);
        for (Iterator<Store> each = stores.descendingIterator(); each.hasNext(); ) {
            Store store = each.next();
            if (store.address == address) {
                return store.value;
            }
        }
        return null;
    }

    /** The oldest store reaches memory: behind the step of the thread that made it, and before what finds it there. */
    public void drainOldest() {
        Store store = stores.remove();
        String stored = storesOf(store.address);
        environment.shared(stored, false);
        memory.store(null, store.place, store.value);
        environment.shared(stored, true);
        environment.shared(name, true);
    }

    private String storesOf(long address) {
        return name + " of " + Long.toHexString(address);
    }
}
