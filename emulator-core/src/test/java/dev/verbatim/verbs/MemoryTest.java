// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Memory and the addresses it is given. */
class MemoryTest {

    private final AddressSpace space = new AddressSpace();

    @Test
    void freshMemoryIsZeroedAndBeginsAtPage() {
        for (int size : new int[] {0, 1, 4095, 4096, 4097}) {
            Memory memory = space.allocate(size);
            assertThat(memory.sizeBytes()).isEqualTo(size);
            assertThat(memory.address() % 4096).isZero();
            assertThat(memory.address()).isGreaterThan(1L << 32);
            assertThat(memory.buffer().alignmentOffset(0, 8)).isZero();
            assertThat(memory.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
            assertThat(memory.buffer().mismatch(ByteBuffer.allocate(size))).isEqualTo(-1);
        }
    }

    @Test
    void sizeThatNoBufferHasIsRefused() {
        for (int size : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE - 6, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> space.allocate(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sizeBytes=" + size + " is not in 0..2147483640");
        }
    }

    @Test
    void addressesRepeatInEachNewSpace() {
        assertThat(new AddressSpace().allocate(5000).address())
                .isEqualTo(new AddressSpace().allocate(1).address());
    }

    @Test
    void memoryOfProcessIsToldFromThatOfSimulation() {
        Memory outside = Memory.allocate(16);
        Memory inside = space.allocate(16);
        assertThat(outside.address()).isLessThan(new AddressSpace().allocate(1).address());
        assertThat(space.find(outside.address(), 16)).isSameAs(outside);
        assertThat(space.find(inside.address(), 16)).isSameAs(inside);
        assertThat(AddressSpace.current().find(inside.address(), 16)).isNotSameAs(inside);
        assertThat(space.find(outside.address(), 17)).isNull();
    }

    @Test
    void bufferHasOneMemoryWhileThatIsInUse() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        Memory memory = space.of(buffer);
        assertThat(space.of(buffer)).isSameAs(memory);
        assertThat(space.of(buffer.duplicate()).address())
                .as("another buffer object has an address of its own")
                .isNotEqualTo(memory.address());
    }

    @Test
    void memoryOfBufferIsAllOfItWhateverItsPositionAndLimit() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).position(8).limit(16);
        Memory memory = space.of(buffer);
        assertThat(memory.sizeBytes()).isEqualTo(64);
        assertThat(buffer.position()).isEqualTo(8);
        memory.buffer().put(63, (byte) 1);
        assertThat(buffer.limit(64).get(63)).isEqualTo((byte) 1);
    }

    @Test
    void viewsOfMemoryHavePositionsOfTheirOwn() {
        Memory memory = space.allocate(16);
        memory.buffer().position(7);
        assertThat(memory.buffer().position()).isZero();
    }

    @Test
    void coveredRangesEndWhereTheMemoryEnds() {
        Memory memory = space.allocate(16);
        long address = memory.address();
        assertThat(memory.covers(address, 16)).isTrue();
        assertThat(memory.covers(address + 16, 0)).isTrue();
        assertThat(memory.covers(address, 17)).isFalse();
        assertThat(memory.covers(address + 1, 16)).isFalse();
        assertThat(memory.covers(address - 1, 1)).isFalse();
        assertThat(memory.covers(-1, 1)).isFalse();
        assertThat(memory.covers(address, Long.MAX_VALUE)).isFalse();
        assertThat(memory.covers(address, -1)).isFalse();
    }

    @Test
    void memoryTellsItsAddresses() {
        assertThat(space.allocate(16)).hasToString("memory [0x7f0000000000,0x7f0000000010)");
    }

    @Test
    void coveredBytesAreCopiedFromTheirAddress() {
        space.allocate(5000);
        Memory memory = space.allocate(16);
        memory.buffer().putLong(4, 42);
        ByteBuffer target = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        memory.copyTo(memory.address() + 4, target, 8, 8);
        assertThat(target.getLong(8)).isEqualTo(42);
        assertThat(target.getLong(0)).isZero();
        assertThat(target.position()).isZero();
    }
}
