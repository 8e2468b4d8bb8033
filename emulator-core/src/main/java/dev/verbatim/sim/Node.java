// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.inspect.Inspector;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** What a program of a {@link Simulation} can do in addition to calling verbs. */
public final class Node {

    private static final int LOOP = 8;

    private final Simulation simulation;
    private final String name;
    /** The word that was loaded last, and how often since it changed and since the program did something else here. */
    private long loadedAddress;

    private long loadedValue;
    private int loads;

    Node(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
    }

    /** The name of the node. */
    public String name() {
        return name;
    }

    /** Opens a device with the node's name. */
    public Device open() {
        return simulation.open(name);
    }

    /**
     * Loads the 64-bit word at {@code offset} of the memory, in native byte order; other events may happen before. A program that
     * loads a word eight times and finds it unchanged is in a loop: from then on each load waits until another event has happened.
     *
     * @throws dev.verbatim.verbs.VerbsException EDEADLK if it was loaded a thousand times more since the last thing happened
     */
    public long load(Memory memory, int offset) {
        long address = memory.address() + offset;
        long value = memory.buffer().getLong(offset);
        loads = address == loadedAddress && value == loadedValue ? loads + 1 : 0;
        loadedAddress = address;
        loadedValue = value;
        if (loads < LOOP) {
            simulation.lane().giveWay();
        } else {
            simulation.lane().progress();
        }
        return loadAtOnce(memory, offset);
    }

    /**
     * Loads the 64-bit word at {@code offset} of the memory, in native byte order, as soon as {@code isAwaited} holds for it.
     *
     * @throws dev.verbatim.verbs.VerbsException EDEADLK if nothing is left to happen that could make it hold
     */
    public long loadUntil(Memory memory, int offset, LongPredicate isAwaited) {
        loads = 0;
        simulation.lane().awaitState(() -> isAwaited.test(memory.buffer().getLong(offset)));
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.loadedUntil(memory.address() + offset, Long.BYTES);
        }
        return loadAtOnce(memory, offset);
    }

    long loadAtOnce(Memory memory, int offset) {
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.loaded(memory.address() + offset, Long.BYTES);
        }
        long value = memory.buffer().getLong(offset);
        tell(false, memory, offset, value);
        return value;
    }

    /** Stores a 64-bit word at {@code offset} of the memory; others may go first. */
    public void store(Memory memory, int offset, long value) {
        others();
        loads = 0;
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.stores(memory.address() + offset, Long.BYTES);
        }
        memory.buffer().putLong(offset, value);
        tell(true, memory, offset, value);
    }

    private void tell(boolean store, Memory memory, int offset, long value) {
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        data.putLong(0, value);
        simulation.tell(new ProgramTouched(
                simulation.fabric().clock().nanoTime(), name, store, memory.address() + offset, data));
    }

    /** Lets other programs and devices act first, if the schedule decides so. */
    public void others() {
        loads = 0;
        simulation.lane().giveWay();
    }

    /**
     * Waits until the condition holds, which may look at memory and at anything that other programs change, and must change
     * nothing.
     *
     * @throws dev.verbatim.verbs.VerbsException EDEADLK if nothing is left to happen that could make it hold
     */
    public void await(BooleanSupplier condition) {
        loads = 0;
        simulation.lane().awaitState(condition);
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.awaited();
        }
    }
}
