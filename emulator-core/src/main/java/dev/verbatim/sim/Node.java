// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.inspect.Inspector;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Scope;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** What a program of a {@link Simulation} can do in addition to calling verbs. */
public final class Node {

    private static final int LOOP = 8;

    private final Simulation simulation;
    private final String name;
    private final @Nullable MemorySystem system;
    private final @Nullable Observer observer;

    /** The word that was loaded last, and how often since it changed and since the program did something else here. */
    private long loadedAddress;

    private long loadedValue;
    private int loads;

    /** Both are null for a node with coherent host memory. */
    Node(Simulation simulation, String name, @Nullable MemorySystem system, @Nullable Observer observer) {
        this.simulation = simulation;
        this.name = name;
        this.system = system;
        this.observer = observer;
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
        MemorySystem known = system;
        Observer self = observer;
        long word = memory.address() + offset;
        boolean isObserved = known != null && self != null && known.isObserved(word);
        BooleanSupplier condition = () -> {
            if (known != null && self != null && isObserved) {
                return known.maySee(self, word, isAwaited);
            }
            return isAwaited.test(memory.buffer().getLong(offset));
        };
        simulation.lane().awaitState(condition, word % Long.BYTES == 0);
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.loadedUntil(word, Long.BYTES);
        }
        if (known == null || self == null || !isObserved) {
            return loadAtOnce(memory, offset);
        }
        if (inspector != null) {
            inspector.loaded(word, Long.BYTES);
        }
        long value = known.sawAwaited(self, word, isAwaited);
        tell(false, memory, offset, value);
        return value;
    }

    long loadAtOnce(Memory memory, int offset) {
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.loaded(memory.address() + offset, Long.BYTES);
        }
        long value = see(memory, offset);
        tell(false, memory, offset, value);
        return value;
    }

    private long see(Memory memory, int offset) {
        MemorySystem known = system;
        Observer self = observer;
        if (known == null || self == null) {
            return memory.buffer().getLong(offset);
        }
        long address = memory.address() + offset;
        onLane(() -> known.loading(self, address));
        byte[] seen = known.look(self, address, Long.BYTES);
        return seen == null
                ? memory.buffer().getLong(offset)
                : ByteBuffer.wrap(seen).order(ByteOrder.nativeOrder()).getLong();
    }

    private void onLane(Runnable work) {
        simulation.lane().tell(work);
    }

    /** Stores a 64-bit word at {@code offset} of the memory; others may go first. */
    public void store(Memory memory, int offset, long value) {
        others();
        loads = 0;
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.stores(memory.address() + offset, Long.BYTES);
        }
        if (system != null && observer != null) {
            system.writing(observer, memory.address() + offset, Long.BYTES);
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

    /**
     * The CPU starts a kernel of the GPU with that memory, which sees what has arrived there. A {@link Simulation#kernel} program of
     * that GPU waits for it by {@link #await}, not by itself.
     */
    public void launch(MemoryDomain gpu) {
        ofTheCpu("launch").launch(gpu);
    }

    /** The CPU has waited for the end of a kernel: what the GPU stored is visible to adapters. */
    public void synchronize(MemoryDomain gpu) {
        ofTheCpu("synchronize").synchronize(gpu);
    }

    /** The CPU flushes what adapters wrote into the memory of a GPU. */
    public void flushRemoteWrites(MemoryDomain gpu, FlushScope scope) {
        observing().flushRemoteWrites(gpu, scope);
    }

    /** A fence of the CPU or the GPU that runs this program. */
    public void fence(Scope scope) {
        MemorySystem known = observing();
        known.fence(Objects.requireNonNull(observer), scope);
    }

    /**
     * The power of the node fails, as by {@link Simulation#powerFails}. The program goes on as what is started afterwards: it finds what
     * is left in memory, and opens devices anew.
     */
    public void powerFails() {
        simulation.powerFails(ofTheCpu("powerFails"));
    }

    /** Others may go first; then it is this program's turn to say what it does to what observers see. */
    private MemorySystem observing() {
        others();
        MemorySystem known = system;
        if (known == null) {
            throw new IllegalStateException("node " + name + " has coherent host memory only; give it other memory by"
                    + " Simulation.memorySystem before its device is opened");
        }
        return known;
    }

    private MemorySystem ofTheCpu(String call) {
        MemorySystem known = observing();
        if (!known.cpu().equals(observer)) {
            throw new IllegalStateException(call + " is for the program of node " + known.cpu()
                    + ", not for a kernel of " + observer + "; call it there");
        }
        return known;
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
        simulation.lane().awaitState(condition, false);
        Inspector inspector = simulation.inspector();
        if (inspector != null) {
            inspector.awaited();
        }
    }
}
