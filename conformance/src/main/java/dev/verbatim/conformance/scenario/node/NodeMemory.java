// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.Sge;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The memory of a node: regions with their keys, and its bytes as the node's CPU sees them. */
public final class NodeMemory {

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Names names;
    private final RunEnvironment environment;
    private final @Nullable MemorySystem system;
    private final Map<String, NamedRange> byName = new TreeMap<>();
    private final Set<MemoryRegion> regions = new LinkedHashSet<>();
    private final Map<Long, Sge> literals = new TreeMap<>();

    /** Memory, and the region on it; keys and addresses are remembered when the region is gone. */
    private static final class NamedRange {

        private final Memory memory;
        private final int start;
        private long address;
        private int lkey;
        private int rkey;
        private @Nullable MemoryRegion region;

        NamedRange(Memory memory, int start) {
            this.memory = memory;
            this.start = start;
            this.address = memory.address() + start;
        }

        void registered(MemoryRegion fresh) {
            region = fresh;
            address = fresh.address();
            lkey = fresh.lkey();
            rkey = fresh.rkey();
        }
    }

    NodeMemory(Names names, RunEnvironment environment) {
        this.names = names;
        this.environment = environment;
        this.system = environment.memorySystem(names.node());
    }

    /** The memory of the node if its observers may see different things; null otherwise. */
    public @Nullable MemorySystem system() {
        return system;
    }

    public synchronized void add(String name, Memory memory, int start) {
        byName.put(name, new NamedRange(memory, start));
    }

    public synchronized void registered(String name, MemoryRegion region) {
        regions.add(region);
        range(name).registered(region);
    }

    /** The region of that name as it is registered now; null if it is not. */
    public synchronized @Nullable MemoryRegion region(String name) {
        return range(name).region;
    }

    public synchronized Memory memory(String name) {
        return range(name).memory;
    }

    /** A region without a name. */
    synchronized void add(MemoryRegion region) {
        regions.add(region);
    }

    /** The program deregistered it. */
    public synchronized void closed(MemoryRegion region) {
        regions.remove(region);
    }

    /** Deregisters what is registered. */
    synchronized void closeAll() {
        regions.forEach(MemoryRegion::close);
        regions.clear();
    }

    void addLiteral(long value, Sge where) {
        literals.put(value, where);
    }

    /** Words, regions and numbers, under the addresses of memory and of regions. */
    public synchronized void nameAddresses(Map<Long, String> byAddress) {
        byName.forEach((name, range) -> {
            byAddress.put(range.address, name);
            byAddress.put(range.memory.address() + range.start, name);
        });
        for (String word : names.words()) {
            Place place = Place.of(word);
            byAddress.put(address(place), word);
            byAddress.put(memory(word).address() + index(place), word);
        }
        literals.forEach((value, where) -> byAddress.put(where.address(), "(" + value + ")"));
    }

    private NamedRange range(String name) {
        Names.Word word = names.word(name);
        NamedRange range = byName.get(word == null ? name : word.region());
        if (range == null) {
            throw new IllegalStateException(
                    "region=" + name + " is not on node " + names.node() + "; check the scenario first");
        }
        return range;
    }

    private int offsetInRange(Place place) {
        Names.Word word = names.word(String.valueOf(place.name()));
        return Math.toIntExact(place.offset()) + (word == null ? 0 : word.offset());
    }

    /** Where a number stands that is in the program. */
    Sge literal(Literal number) {
        Sge literal = literals.get(number.value());
        if (literal == null) {
            throw new IllegalStateException(number + " has no memory; name it in literals() of its step");
        }
        return literal;
    }

    public synchronized long address(Place place) {
        return place.name() == null ? place.offset() : range(place.name()).address + offsetInRange(place);
    }

    /** The region whose key the place has, or else that it is in, as it was registered last; null if it never was. */
    public synchronized @Nullable MemoryRegion regionOf(Place place) {
        KeyRef key = place.key();
        return range(String.valueOf(key == null ? place.name() : key.name())).region;
    }

    /** One of the keys of a word's region, or of a region. */
    synchronized int key(String name, KeyRef.Which which, boolean remote) {
        NamedRange range = range(name);
        return switch (which) {
            case FITTING -> remote ? range.rkey : range.lkey;
            case LKEY -> range.lkey;
            case RKEY -> range.rkey;
        };
    }

    /**
     * What an observer sees in 1, 2, 4 or 8 bytes, in a step of the program.
     *
     * @param observer null for the CPU of a node with coherent memory
     */
    public long load(@Nullable Observer observer, Place place) {
        MemorySystem known = system;
        byte[] seen = null;
        if (known != null && observer != null) {
            known.loading(observer, memoryAddress(place));
            seen = known.look(observer, memoryAddress(place), names.lengthOf(place));
        }
        if (seen == null) {
            tell(place, false);
            return look(place);
        }
        environment.touched(names.node(), false, memoryAddress(place), ByteBuffer.wrap(seen));
        return read(ByteBuffer.wrap(seen).order(ByteOrder.nativeOrder()), 0, seen.length);
    }

    /** Whether an observer may see that value in a place. */
    public boolean maySee(@Nullable Observer observer, Place place, long value) {
        MemorySystem known = system;
        if (known == null || observer == null || !isWord(place)) {
            return look(place) == value;
        }
        return known.maySee(observer, memoryAddress(place), seen -> seen == value);
    }

    /** An observer sees the value that its program waited for. */
    public void loadAwaited(@Nullable Observer observer, Place place, long value) {
        environment.awaited(memoryAddress(place));
        MemorySystem known = system;
        if (known != null && observer != null && isWord(place)) {
            long unused = known.sawAwaited(observer, memoryAddress(place), seen -> seen == value);
        }
        tell(place, false);
    }

    private boolean isWord(Place place) {
        return names.lengthOf(place) == RegionSpec.WORD_BYTES && memoryAddress(place) % RegionSpec.WORD_BYTES == 0;
    }

    /** Whether no part of the place is in another aligned word than the rest. */
    public boolean isInOneWord(Place place) {
        long inWord = memoryAddress(place) & RegionSpec.WORD_BYTES - 1;
        return inWord + names.lengthOf(place) <= RegionSpec.WORD_BYTES;
    }

    /** What memory holds. */
    public long look(Place place) {
        return read(buffer(place), index(place), names.lengthOf(place));
    }

    private static long read(ByteBuffer bytes, int at, int lengthBytes) {
        return switch (lengthBytes) {
            case 1 -> Byte.toUnsignedLong(bytes.get(at));
            case 2 -> Short.toUnsignedLong(bytes.getShort(at));
            case 4 -> Integer.toUnsignedLong(bytes.getInt(at));
            default ->
                bytes.isDirect() && at % RegionSpec.WORD_BYTES == 0
                        ? (long) WORD.getAcquire(bytes, at)
                        : bytes.getLong(at);
        };
    }

    private void storing(@Nullable Observer observer, Place place) {
        if (system != null && observer != null) {
            system.writing(observer, memoryAddress(place), names.lengthOf(place));
        }
    }

    /** An observer writes 1, 2, 4 or 8 bytes. */
    public void store(@Nullable Observer observer, Place place, long value) {
        storing(observer, place);
        ByteBuffer bytes = buffer(place);
        int at = index(place);
        switch (names.lengthOf(place)) {
            case 1 -> bytes.put(at, (byte) value);
            case 2 -> bytes.putShort(at, (short) value);
            case 4 -> bytes.putInt(at, (int) value);
            default -> {
                if (at % RegionSpec.WORD_BYTES == 0) {
                    WORD.setRelease(bytes, at, value);
                } else {
                    bytes.putLong(at, value);
                }
            }
        }
        tell(place, true);
    }

    public byte[] loadAll(Place place) {
        byte[] bytes = new byte[names.lengthOf(place)];
        buffer(place).get(index(place), bytes);
        tell(place, false);
        return bytes;
    }

    public void storeAll(@Nullable Observer observer, Place place, byte[] bytes) {
        storing(observer, place);
        buffer(place).put(index(place), bytes);
        tell(place, true);
    }

    private void tell(Place place, boolean store) {
        byte[] bytes = new byte[names.lengthOf(place)];
        buffer(place).get(index(place), bytes);
        environment.touched(names.node(), store, memoryAddress(place), ByteBuffer.wrap(bytes));
    }

    /** Address of a place in its memory, whatever its region calls it. */
    public long memoryAddress(Place place) {
        return memory(String.valueOf(place.name())).address() + index(place);
    }

    private synchronized ByteBuffer buffer(Place place) {
        return range(String.valueOf(place.name())).memory.buffer();
    }

    private synchronized int index(Place place) {
        return range(String.valueOf(place.name())).start + offsetInRange(place);
    }
}
