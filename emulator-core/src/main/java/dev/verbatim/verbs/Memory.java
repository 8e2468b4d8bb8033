// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory that can be registered: bytes outside the Java heap and the address of the first.
 *
 * <p>Addresses belong to the memory, not to regions, so all registrations of a memory have the same addresses (MR-24).
 * Addresses that {@link #allocate} and {@link #of(ByteBuffer)} assign are synthetic, larger than 32 bits, never reused, and the same
 * in every run that allocates in the same order. {@link #at(ByteBuffer, long)} takes the address that the owner gives.
 *
 * <p>A memory of more than 2^31-9 bytes from a source has no single buffer. Devices see it through buffers that begin at multiples of
 * {@link #STRIDE_BYTES} and overlap, so that an access of up to 2^30-8 bytes lies within one of them.
 */
public final class Memory {

    /** Distance of the buffers of a memory that is larger than one buffer: 2^30. */
    public static final int STRIDE_BYTES = 1 << 30;

    private static final int WORD_BYTES = 8;

    /** What a memory segment makes a buffer of. */
    private static final int MOST_STRIDE_BYTES = Integer.MAX_VALUE - 8;

    /** The only buffer; null if a source has the bytes. */
    private final @Nullable ByteBuffer buffer;

    private final @Nullable MemorySource source;
    private final long address;
    private final long sizeBytes;
    private final boolean readOnly;

    /** The buffer that was wrapped, as long as its owner keeps it; null for none. */
    private final @Nullable WeakReference<ByteBuffer> wrapped;

    /** The file that the bytes are of, as far as is known; null if of none. */
    private volatile @Nullable MappedByteBuffer file;

    Memory(ByteBuffer buffer, long address) {
        this(buffer, address, null);
    }

    Memory(ByteBuffer buffer, long address, @Nullable ByteBuffer wrapped) {
        this.buffer = buffer;
        this.source = null;
        this.address = address;
        this.sizeBytes = buffer.capacity();
        this.readOnly = buffer.isReadOnly();
        this.wrapped = wrapped == null ? null : new WeakReference<>(wrapped);
    }

    private Memory(MemorySource source, long address, long sizeBytes) {
        this.buffer = null;
        this.source = source;
        this.address = address;
        this.sizeBytes = sizeBytes;
        this.readOnly = source.isReadOnly();
        this.wrapped = null;
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
        return AddressSpace.current().of(VerbsException.requireNonNull(buffer, "buffer"));
    }

    /**
     * Wraps all bytes of a mapped file, which FLUSH can make persistent (NW-02); otherwise as {@link #of(ByteBuffer)}.
     *
     * @param mapped result of {@link java.nio.channels.FileChannel#map}
     */
    public static Memory of(MappedByteBuffer mapped) {
        Memory memory = of((ByteBuffer) VerbsException.requireNonNull(mapped, "mapped"));
        memory.file = mapped;
        return memory;
    }

    /**
     * Wraps all bytes of {@code buffer} at the address that its owner gives, such as the real one of native memory. Inline data at the
     * address is found in it (WR-22), as long as no other memory was made there later. The caller keeps apart what is to be told apart:
     * synthetic addresses are assigned upward from 0x7e0000000000, in simulations from 0x7f0000000000.
     *
     * @param address of the byte at index 0; 0 to 2^63-1, and so the end
     * @throws VerbsException EINVAL if the buffer is not direct
     * @throws IllegalArgumentException if the range is not below 2^63
     */
    public static Memory at(ByteBuffer buffer, long address) {
        VerbsException.requireNonNull(buffer, "buffer");
        requireRange(address, buffer.capacity());
        return AddressSpace.current().at(buffer, address);
    }

    /**
     * Memory of any size at the address that its owner gives. Nothing is asked for or touched until a device uses it, so it may be
     * reserved, protected or sparse. It is known by its registrations alone: inline data (WR-22) is not looked for in it.
     *
     * @param address of the byte at offset 0; 0 to 2^63-1, and so the end
     * @param sizeBytes 0 to 2^63-1
     * @param source has the bytes
     * @throws IllegalArgumentException if the range is not below 2^63
     */
    public static Memory at(long address, long sizeBytes, MemorySource source) {
        VerbsException.requireNonNull(source, "source");
        requireRange(address, sizeBytes);
        return new Memory(source, address, sizeBytes);
    }

    private static void requireRange(long address, long sizeBytes) {
        if (address < 0 || sizeBytes < 0 || address > Long.MAX_VALUE - sizeBytes) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "address=0x%x sizeBytes=%d do not lie in 0..2^63-1", address, sizeBytes));
        }
    }

    /** Whether the memory is a mapped file that {@link #force} makes persistent. */
    public boolean isPersistent() {
        return file != null || (source != null && source.isPersistent());
    }

    /** Whether nothing may be written there. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** Whether {@link #isUsable} has to be asked before bytes are touched. */
    public boolean isGuarded() {
        return source != null;
    }

    /** What {@link MemorySource#isUsable} answers; true without a source. */
    public boolean isUsable(long offset, long lengthBytes, boolean written) {
        return source == null || source.isUsable(offset, lengthBytes, written);
    }

    /**
     * Writes bytes to the mapped file.
     *
     * @param offset first byte, from 0
     * @throws java.io.UncheckedIOException if that fails
     */
    public void force(long offset, long lengthBytes) {
        MappedByteBuffer mapped = file;
        if (lengthBytes <= 0) {
            return;
        }
        if (mapped != null) {
            MappedByteBuffer unused = mapped.force(Math.toIntExact(offset), Math.toIntExact(lengthBytes));
        } else if (source != null) {
            source.force(offset, lengthBytes);
        }
    }

    /**
     * A buffer over all bytes, in native byte order. Its position and limit are independent; its content is shared with the device.
     *
     * @throws IllegalStateException if a source has more than 2^31-9 bytes; ask for a {@linkplain #buffer(long, int) part} then
     */
    public ByteBuffer buffer() {
        if (!isWhole()) {
            throw new IllegalStateException(
                    this + " has sizeBytes=" + sizeBytes + " > 2^31-9; use buffer(offset, lengthBytes)");
        }
        return stride(0);
    }

    /**
     * A buffer over some of the bytes, in native byte order, with index 0 at {@code offset}; its content is shared with the device.
     *
     * @throws IndexOutOfBoundsException if they are not in the memory
     * @throws IllegalArgumentException if they are more than 2^30-8 and do not lie within one buffer
     */
    public ByteBuffer buffer(long offset, int lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, sizeBytes);
        ByteBuffer stride = stride(offset);
        int index = indexIn(offset);
        if (lengthBytes > stride.capacity() - index) {
            throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " from offset=" + offset
                    + " exceed 2^30-8 and one buffer; take parts");
        }
        return stride.slice(index, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /**
     * A new buffer object in native byte order over all bytes from the last multiple of {@link #STRIDE_BYTES} that is not behind
     * {@code offset}, up to 2^31-9 of them; over all bytes, from 0 on, if they are not more than that.
     */
    public ByteBuffer stride(long offset) {
        ByteBuffer whole = buffer;
        if (whole != null) {
            return whole.duplicate().order(ByteOrder.nativeOrder());
        }
        long from = isWhole() ? 0 : offset & -STRIDE_BYTES;
        int lengthBytes = (int) Math.min(MOST_STRIDE_BYTES, sizeBytes - from);
        ByteBuffer bytes = Objects.requireNonNull(source).bytes(from, lengthBytes);
        if (!bytes.isDirect() || bytes.capacity() < lengthBytes) {
            throw new IllegalStateException("source of " + this + " gave a buffer with capacity=" + bytes.capacity()
                    + " direct=" + bytes.isDirect() + " for lengthBytes=" + lengthBytes + " from offset=" + from);
        }
        return bytes.slice(0, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /** Whether one buffer has all bytes. */
    public boolean isWhole() {
        return buffer != null || sizeBytes <= MOST_STRIDE_BYTES;
    }

    /** Index of the byte at {@code offset} in {@link #stride stride(offset)}. */
    public int indexIn(long offset) {
        return (int) (isWhole() ? offset : offset & STRIDE_BYTES - 1);
    }

    /**
     * Whether the wrapped buffer has another byte order than the native one, in which devices do atomics (WR-36).
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
    public long sizeBytes() {
        return sizeBytes;
    }

    /** How far the byte at {@code offset} really is past a multiple of 8. */
    public int alignment(long offset) {
        ByteBuffer whole = buffer;
        return whole == null
                ? (int) (address + offset & WORD_BYTES - 1)
                : whole.alignmentOffset((int) offset, WORD_BYTES);
    }

    /** Whether the memory contains {@code lengthBytes} bytes from address {@code from}. */
    public boolean covers(long from, long lengthBytes) {
        return from >= address
                && lengthBytes >= 0
                && lengthBytes <= sizeBytes
                && from - address <= sizeBytes - lengthBytes;
    }

    /**
     * Copies {@code lengthBytes} bytes, at most 2^30-8, from address {@code from} to {@code target}. Positions do not change.
     *
     * @return false if the source says that they cannot be read
     */
    public boolean copyTo(long from, ByteBuffer target, int targetOffset, int lengthBytes) {
        long offset = from - address;
        ByteBuffer whole = buffer;
        if (whole != null) {
            target.put(targetOffset, whole, (int) offset, lengthBytes);
            return true;
        }
        if (lengthBytes > 0) {
            if (!isUsable(offset, lengthBytes, false)) {
                return false;
            }
            target.put(targetOffset, stride(offset), indexIn(offset), lengthBytes);
        }
        return true;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "memory [0x%x,0x%x)", address, address + sizeBytes);
    }
}
