// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Assigns addresses to memory: in ascending order, with a guard page between neighbours, without reuse.
 *
 * <p>There is one for the whole process. Create another one to get the same addresses several times within a process.
 */
public final class AddressSpace {

    private static final long FIRST_ADDRESS = 0x7f00_0000_0000L;

    /** Other than in a simulation, which can then tell memory that was made outside of it from its own. */
    private static final long FIRST_OF_PROCESS = 0x7e00_0000_0000L;

    private static final AddressSpace PROCESS = new AddressSpace(FIRST_OF_PROCESS, false);
    private static final ThreadLocal<@Nullable AddressSpace> ENTERED = new ThreadLocal<>();
    private static final int PAGE_BYTES = 4096;
    private static final int WORD_BYTES = 8;

    /** What one buffer holds, less the room to begin it at a multiple of 8. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - (WORD_BYTES - 1);

    private final Map<BufferIdentity, Long> baseOfBuffer = new HashMap<>();
    private final ReferenceQueue<ByteBuffer> forgotten = new ReferenceQueue<>();
    private final TreeMap<Long, MemoryAt> memoryByBase = new TreeMap<>();
    private final ReferenceQueue<Memory> collected = new ReferenceQueue<>();
    private final boolean isOfRun;
    private long nextPage;
    private volatile @Nullable ForeignBytes foreign;

    /** Without memory. */
    public AddressSpace() {
        this(FIRST_ADDRESS, false);
    }

    private AddressSpace(long firstAddress, boolean isOfRun) {
        this.nextPage = firstAddress;
        this.isOfRun = isOfRun;
    }

    /** The address space of the calling thread: that of the process, unless {@link #enter} was called. */
    public static AddressSpace current() {
        AddressSpace entered = ENTERED.get();
        return entered == null ? PROCESS : entered;
    }

    /** Makes this the address space in which the calling thread allocates memory and finds inline data. */
    public void enter() {
        ENTERED.set(this);
    }

    /**
     * Runs a program of which several runs are compared. Meanwhile the calling thread and the simulations that it opens share a new address
     * space, so that memory has the same address in each run, also if it is allocated before the simulation is opened.
     */
    public static <T> T inRun(Supplier<T> program) {
        AddressSpace before = ENTERED.get();
        new AddressSpace(FIRST_ADDRESS, true).enter();
        try {
            return program.get();
        } finally {
            ENTERED.set(before);
        }
    }

    /** For a simulation that the calling thread opens: that of the {@linkplain #inRun run} that it makes, or else a new one. */
    public static AddressSpace forSimulation() {
        AddressSpace entered = current();
        return entered.isOfRun ? entered : new AddressSpace();
    }

    /** Makes the calling thread use that of the process again; within a {@linkplain #inRun run} it keeps that of the run. */
    public static void leave() {
        if (!current().isOfRun) {
            ENTERED.remove();
        }
    }

    /**
     * Has inline data looked for there first, before the memories of this address space are: it must vouch only for addresses that are
     * not theirs. Null for nowhere.
     */
    public void foreign(@Nullable ForeignBytes bytes) {
        foreign = bytes;
    }

    /** Where inline data is looked for first; null for nowhere. */
    public @Nullable ForeignBytes foreign() {
        return foreign;
    }

    /** Allocates memory in this address space; see {@link Memory#allocate}. */
    public Memory allocate(int sizeBytes) {
        if (sizeBytes < 0 || sizeBytes > MOST_BYTES) {
            throw new IllegalArgumentException("sizeBytes=" + sizeBytes + " is not in 0.." + MOST_BYTES);
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes + WORD_BYTES - 1);
        int skip = buffer.alignmentOffset(0, WORD_BYTES) == 0 ? 0 : WORD_BYTES - buffer.alignmentOffset(0, WORD_BYTES);
        ByteBuffer aligned = buffer.slice(skip, sizeBytes).order(ByteOrder.nativeOrder());
        return remember(new Memory(aligned, reserve(sizeBytes, 0)));
    }

    /** Assigns an address of this address space to a buffer; see {@link Memory#of}. */
    public Memory of(ByteBuffer buffer) {
        requireDirect(buffer);
        return memoryOf(buffer);
    }

    /** Makes a memory at an address that was not assigned here; see {@link Memory#at(ByteBuffer, long)}. */
    Memory at(ByteBuffer buffer, long address) {
        requireDirect(buffer);
        return remember(new Memory(buffer.duplicate().clear().order(ByteOrder.nativeOrder()), address, buffer));
    }

    private static void requireDirect(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_03,
                    "a heap buffer of %d bytes cannot be registered: the device needs atomics and addresses that do not"
                            + " move; use ByteBuffer.allocateDirect or Memory.allocate",
                    buffer.capacity());
        }
    }

    /** While one is in use it is the only one of its buffer, so {@link #find} cannot lose it to another's end. */
    private synchronized Memory memoryOf(ByteBuffer buffer) {
        long base = baseOf(buffer);
        MemoryAt known = memoryByBase.get(base);
        Memory memory = known == null ? null : known.get();
        return memory != null
                ? memory
                : remember(new Memory(buffer.duplicate().clear().order(ByteOrder.nativeOrder()), base, buffer));
    }

    /** The memory of this address space, or else of that of the process, that contains these bytes; null if there is none. */
    public @Nullable Memory find(long address, long lengthBytes) {
        Memory memory = findHere(address, lengthBytes);
        return memory == null && this != PROCESS ? PROCESS.findHere(address, lengthBytes) : memory;
    }

    private synchronized @Nullable Memory findHere(long address, long lengthBytes) {
        Map.Entry<Long, MemoryAt> below = memoryByBase.floorEntry(address);
        Memory memory = below == null ? null : below.getValue().get();
        return memory != null && memory.covers(address, lengthBytes) ? memory : null;
    }

    private synchronized Memory remember(Memory memory) {
        for (Reference<? extends Memory> dead = collected.poll(); dead != null; dead = collected.poll()) {
            memoryByBase.remove(((MemoryAt) dead).base, dead);
        }
        memoryByBase.put(memory.address(), new MemoryAt(memory, collected));
        return memory;
    }

    private synchronized long baseOf(ByteBuffer buffer) {
        for (Reference<? extends ByteBuffer> dead = forgotten.poll(); dead != null; dead = forgotten.poll()) {
            baseOfBuffer.remove(dead);
        }
        BufferIdentity identity = new BufferIdentity(buffer, forgotten);
        Long known = baseOfBuffer.get(identity);
        if (known != null) {
            return known;
        }
        // The synthetic address agrees with the real one about 8-byte alignment, so atomics work where they can.
        long base = reserve(buffer.capacity(), buffer.alignmentOffset(0, WORD_BYTES));
        baseOfBuffer.put(identity, base);
        return base;
    }

    private synchronized long reserve(int sizeBytes, int offsetInPage) {
        long base = nextPage + offsetInPage;
        long end = base + sizeBytes;
        nextPage = (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
        return base;
    }

    /** A weak key that equals another only if both name the same buffer object. */
    private static final class BufferIdentity extends WeakReference<ByteBuffer> {

        private final int hash;

        BufferIdentity(ByteBuffer buffer, ReferenceQueue<ByteBuffer> queue) {
            super(buffer, queue);
            this.hash = System.identityHashCode(buffer);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the same object, not equal bytes
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            ByteBuffer mine = get();
            return mine != null && other instanceof BufferIdentity identity && identity.get() == mine;
        }
    }

    /** A memory that may be collected, and where it was. */
    private static final class MemoryAt extends WeakReference<Memory> {

        private final long base;

        MemoryAt(Memory memory, ReferenceQueue<Memory> queue) {
            super(memory, queue);
            this.base = memory.address();
        }
    }

    @Override
    public String toString() {
        return equals(PROCESS) ? "addresses of the process" : "addresses of a simulation";
    }
}
