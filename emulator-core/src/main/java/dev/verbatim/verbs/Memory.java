// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Memory that can be registered: a direct buffer and the address of its first byte.
 *
 * <p>Addresses belong to the memory, not to regions, so all registrations of a memory have the same addresses (MR-24).
 * Addresses are synthetic, larger than 32 bits, never reused, and the same in every run that allocates in the same
 * order.
 */
public final class Memory {

    private final ByteBuffer buffer;
    private final long address;

    /** The buffer that was wrapped, while its owner has it; null for none. */
    private final @Nullable WeakReference<ByteBuffer> wrapped;

    /** The file that the bytes are of, as far as is known; null if of none. */
    private volatile @Nullable MappedByteBuffer file;

    Memory(ByteBuffer buffer, long address) {
        this(buffer, address, null);
    }

    Memory(ByteBuffer buffer, long address, @Nullable ByteBuffer wrapped) {
        this.buffer = buffer;
        this.address = address;
        this.wrapped = wrapped == null ? null : new WeakReference<>(wrapped);
    }

    /**
     * Allocates zeroed memory at an address that is a multiple of 4096.
     *
     * @param sizeBytes 0 to 2^31-8
     * @throws IllegalArgumentException if the size is not in that range
     */
    public static Memory allocate(int sizeBytes) {
        return AddressSpace.current().allocate(sizeBytes);
    }

    /**
     * Wraps all bytes of {@code buffer} from 0 to its capacity. The same buffer object always has the same address.
     *
     * @throws VerbsException EINVAL if the buffer is not direct
     */
    public static Memory of(ByteBuffer buffer) {
        return AddressSpace.current().of(buffer);
    }

    /**
     * Wraps all bytes of a mapped file, which FLUSH can make persistent (NW-02); otherwise as {@link #of(ByteBuffer)}.
     *
     * @param mapped result of {@link java.nio.channels.FileChannel#map}
     */
    public static Memory of(MappedByteBuffer mapped) {
        Memory memory = of((ByteBuffer) mapped);
        memory.file = mapped;
        return memory;
    }

    /** Whether the memory is a mapped file that {@link #force} makes persistent. */
    public boolean isPersistent() {
        return file != null;
    }

    /**
     * Writes bytes to the mapped file.
     *
     * @param offset first byte, from 0
     * @throws java.io.UncheckedIOException if that fails
     */
    public void force(int offset, int lengthBytes) {
        MappedByteBuffer mapped = file;
        if (mapped != null && lengthBytes > 0) {
            MappedByteBuffer unused = mapped.force(offset, lengthBytes);
        }
    }

    /** A buffer in native byte order. Its position and limit are independent; its content is shared with the device. */
    public ByteBuffer buffer() {
        return buffer.duplicate().order(ByteOrder.nativeOrder());
    }

    /**
     * Whether the owner of the wrapped buffer has it in another order than the native one, in which devices do atomics (WR-36).
     * A new buffer of Java is big-endian.
     */
    public boolean isHeldInOtherOrder() {
        ByteBuffer held = wrapped == null ? null : wrapped.get();
        return held != null && held.order() != ByteOrder.nativeOrder();
    }

    /** Address of the first byte, unsigned. */
    public long address() {
        return address;
    }

    /** Number of bytes. */
    public int sizeBytes() {
        return buffer.capacity();
    }

    /** Whether the memory contains {@code lengthBytes} bytes from address {@code from}. */
    public boolean covers(long from, long lengthBytes) {
        return from >= address
                && lengthBytes >= 0
                && lengthBytes <= sizeBytes()
                && from - address <= sizeBytes() - lengthBytes;
    }

    /** Copies {@code lengthBytes} bytes from address {@code from} to {@code target}. Positions do not change. */
    public void copyTo(long from, ByteBuffer target, int targetOffset, int lengthBytes) {
        target.put(targetOffset, buffer, (int) (from - address), lengthBytes);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "memory [0x%x,0x%x)", address, address + sizeBytes());
    }
}
