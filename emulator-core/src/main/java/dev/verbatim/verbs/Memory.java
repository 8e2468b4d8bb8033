// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Memory that regions can be registered on: a direct buffer and the address of its first byte.
 *
 * <p>Addresses belong to memory and not to regions, so two registrations of one memory agree on every address (MR-24).
 * They are synthetic, larger than 32 bits, never reused, and the same in every run that allocates in the same order.
 */
public final class Memory {

    private final ByteBuffer buffer;
    private final long address;

    /** The file that the bytes are of, as far as is known; null if of none. */
    private volatile @Nullable MappedByteBuffer file;

    Memory(ByteBuffer buffer, long address) {
        this.buffer = buffer;
        this.address = address;
    }

    /**
     * Fresh zeroed memory whose address is a multiple of 4096.
     *
     * @param sizeBytes 0 to 2^31-8
     * @throws IllegalArgumentException if the size is not in that range
     */
    public static Memory allocate(int sizeBytes) {
        return AddressSpace.current().allocate(sizeBytes);
    }

    /**
     * All bytes of {@code buffer} from 0 to its capacity; the same buffer object has the same address each time.
     *
     * @throws VerbsException EINVAL if the buffer is not direct
     */
    public static Memory of(ByteBuffer buffer) {
        return AddressSpace.current().of(buffer);
    }

    /**
     * All bytes of a file that is mapped, which FLUSH can make persistent (NW-02); otherwise as {@link #of(ByteBuffer)}.
     *
     * @param mapped what {@link java.nio.channels.FileChannel#map} gave
     */
    public static Memory of(MappedByteBuffer mapped) {
        Memory memory = of((ByteBuffer) mapped);
        memory.file = mapped;
        return memory;
    }

    /** Whether it is known to be of a file, so that {@link #force} makes it persistent. */
    public boolean isPersistent() {
        return file != null;
    }

    /**
     * Writes bytes to the file that they are of.
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

    /**
     * The bytes, in native byte order; position and limit are the caller's own, the content is shared with the device.
     */
    public ByteBuffer buffer() {
        return buffer.duplicate().order(ByteOrder.nativeOrder());
    }

    /** Address of the first byte, unsigned. */
    public long address() {
        return address;
    }

    /** Number of bytes. */
    public int sizeBytes() {
        return buffer.capacity();
    }

    /** Whether {@code lengthBytes} bytes from {@code from} on lie inside. */
    public boolean covers(long from, long lengthBytes) {
        return from >= address
                && lengthBytes >= 0
                && lengthBytes <= sizeBytes()
                && from - address <= sizeBytes() - lengthBytes;
    }

    /** Copies {@code lengthBytes} covered bytes from {@code from} on to {@code target}; positions stay as they are. */
    public void copyTo(long from, ByteBuffer target, int targetOffset, int lengthBytes) {
        target.put(targetOffset, buffer, (int) (from - address), lengthBytes);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "memory [0x%x,0x%x)", address, address + sizeBytes());
    }
}
