// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Addresses under any sequence of allocations and buffers. */
class AddressSpacePropertiesTest {

    private static final int PAGE_BYTES = 4096;

    /** Memory made in one of three ways: allocated, of a fresh slice of a buffer, or of a slice that came before. */
    private static List<Memory> make(AddressSpace space, List<Integer> sizes) {
        ByteBuffer big = ByteBuffer.allocateDirect(1 << 14);
        List<ByteBuffer> slices = new ArrayList<>();
        List<Memory> made = new ArrayList<>();
        for (int size : sizes) {
            switch (size % 3) {
                case 0 -> made.add(space.allocate(size));
                case 1 -> {
                    slices.add(big.slice(size % 29, size));
                    made.add(space.of(slices.get(slices.size() - 1)));
                }
                default -> {
                    if (!slices.isEmpty()) {
                        made.add(space.of(slices.get(size % slices.size())));
                    }
                }
            }
        }
        Reference.reachabilityFence(slices);
        return made;
    }

    @Property(tries = 200)
    void differentMemoriesLieAPageApartAndAgreeWithTheRealOnesAboutAlignment(
            @ForAll @Size(max = 60) List<@IntRange(max = 9000) Integer> sizes) {
        Map<Long, Memory> byAddress = new TreeMap<>();
        for (Memory memory : make(new AddressSpace(), sizes)) {
            byAddress.put(memory.address(), memory);
            assertThat(memory.address() & 7).isEqualTo(memory.buffer().alignmentOffset(0, 8));
        }
        long free = 0;
        for (Memory memory : byAddress.values()) {
            assertThat(memory.address()).isGreaterThanOrEqualTo(free);
            free = memory.address() + memory.sizeBytes() + PAGE_BYTES;
        }
    }

    @Property(tries = 200)
    void memoryIsFoundByEachRangeInsideAndByNoOther(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(max = 9000) Integer> sizes,
            @ForAll @IntRange(min = -2, max = 9002) int offset,
            @ForAll @IntRange(max = 9002) int lengthBytes) {
        AddressSpace space = new AddressSpace();
        List<Memory> made = make(space, sizes);
        for (Memory memory : made) {
            long address = memory.address() + offset;
            boolean inside = offset >= 0 && offset + lengthBytes <= memory.sizeBytes();
            if (inside) {
                assertThat(space.find(address, lengthBytes)).isSameAs(memory);
            } else if (lengthBytes > 0) {
                Memory found = space.find(address, lengthBytes);
                assertThat(found == null || found.address() != memory.address()).isTrue();
            }
        }
        assertThat(space.find(0, 1)).isNull();
        assertThat(space.find(-1, 1)).isNull();
    }
}
