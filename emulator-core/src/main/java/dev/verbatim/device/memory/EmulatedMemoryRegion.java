// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A registered region as the device has it: keys, rights and the bytes behind them, the same all its life. A re-registration ends one
 * and begins another; what programs hold is a {@link RegionHandle}, which follows.
 */
public final class EmulatedMemoryRegion implements RemoteTarget {

    final PdIdentity pd;
    private final boolean isNull;
    private final Memory memory;
    private final long offset;
    private final long address;
    private final long lengthBytes;

    /** Whether the memory is to be asked before bytes are touched. */
    private final boolean guarded;

    /** The buffer of a memory that has only one, once it is made. */
    private @Nullable ByteBuffer whole;

    /** The buffers of a larger memory, by number, once they are made. */
    private @Nullable ByteBuffer @Nullable [] strides;

    /** Of an offset in the memory, what counts in its buffer. */
    private final long indexMask;

    final int access;
    final int lkey;
    final int rkey;
    private final int binding;
    private int windows;
    volatile boolean registered = true;

    EmulatedMemoryRegion(
            PdIdentity pd,
            Memory memory,
            long offset,
            long lengthBytes,
            long address,
            int access,
            int lkey,
            int rkey,
            int binding) {
        this.isNull = false;
        this.pd = pd;
        this.memory = memory;
        this.guarded = memory.isGuarded();
        this.whole = guarded ? null : memory.buffer();
        this.indexMask = memory.isWhole() ? -1 : Memory.STRIDE_BYTES - 1;
        this.offset = offset;
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.lkey = lkey;
        this.rkey = rkey;
        this.binding = binding;
    }

    /**
     * A null region: whatever the address, it reads as zeros, and nothing can be written (MR-75).
     *
     * @param nothing a memory of no bytes
     */
    EmulatedMemoryRegion(PdIdentity pd, Memory nothing, int lkey) {
        this.isNull = true;
        this.pd = pd;
        this.memory = nothing;
        this.guarded = true;
        this.whole = Zeros.BYTES;
        this.indexMask = 0;
        this.offset = 0;
        this.address = 0;
        this.lengthBytes = Long.MAX_VALUE;
        this.access = AccessFlags.LOCAL_WRITE;
        this.lkey = lkey;
        this.rkey = 0;
        this.binding = 0;
    }

    /** Whether it is a null region: what would be written to it is to be dropped. */
    public boolean isNull() {
        return isNull;
    }

    /** Adds so many bytes of a null region. */
    static void addZeros(int count, Payload payload) {
        for (int left = count; left > 0; left -= Zeros.BYTES.capacity()) {
            payload.add(Zeros.BYTES, 0, Math.min(left, Zeros.BYTES.capacity()));
        }
    }

    /** The domain it is in. */
    public PdIdentity pd() {
        return pd;
    }

    /** The memory it lies on. */
    Memory memory() {
        return memory;
    }

    /** Where in the memory it begins. */
    long offset() {
        return offset;
    }

    /** Address of its first byte as local elements and peers name it (MR-20). */
    long address() {
        return address;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public long firstAddress() {
        return address;
    }

    @Override
    public long boundBytes() {
        return lengthBytes;
    }

    int access() {
        return access;
    }

    /** Whether what is placed there may be seen in another order, also of the same bytes (MR-71, VIS-03). */
    boolean isRelaxed() {
        return (access & (AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED)) != 0;
    }

    /** Whether also a READ need not return what was placed there before it (MR-71). */
    boolean isUnordered() {
        return (access & AccessFlags.UNORDERED) != 0;
    }

    int lkey() {
        return lkey;
    }

    int rkey() {
        return rkey;
    }

    /** Whether the bytes from {@code from} on lie inside, in unsigned arithmetic that cannot wrap (MR-22, MR-23). */
    boolean covers(long from, long count) {
        return AddressRange.covers(address, lengthBytes, from, count);
    }

    /**
     * The buffer in which the byte at that offset of the memory is, and up to 2^30-8 bytes from there on; use with {@link #at}. On the lane.
     * It fails as an access does if the source of the memory does.
     */
    ByteBuffer bufferAt(long index) {
        ByteBuffer only = whole;
        return only != null ? only : strideAt(index);
    }

    /** Index of the byte at that offset of the memory in {@link #bufferAt}. */
    int at(long index) {
        return (int) (index & indexMask);
    }

    private ByteBuffer strideAt(long index) {
        if (memory.isWhole()) {
            ByteBuffer only = memory.stride(0);
            whole = only;
            return only;
        }
        @Nullable ByteBuffer[] made = strides;
        if (made == null) {
            made = new ByteBuffer[Math.toIntExact((memory.sizeBytes() - 1) / Memory.STRIDE_BYTES + 1)];
            strides = made;
        }
        int number = (int) (index / Memory.STRIDE_BYTES);
        ByteBuffer stride = made[number];
        if (stride == null) {
            stride = memory.stride(index);
            made[number] = stride;
        }
        return stride;
    }

    /** Hands out every buffer that may have been shown to others. */
    void forEachBuffer(Consumer<ByteBuffer> action) {
        ByteBuffer only = whole;
        @Nullable ByteBuffer[] made = strides;
        if (only != null) {
            action.accept(only);
        } else if (made != null) {
            for (ByteBuffer stride : made) {
                if (stride != null) {
                    action.accept(stride);
                }
            }
        }
    }

    /** Whether the bytes from that offset of the memory on can be read, or written, as far as the owner of the memory says. */
    boolean isUsable(long index, long count, boolean written) {
        return !guarded || (isNull ? !written : memory.isUsable(index, count, written));
    }

    /** Sets {@code place} to the byte at that offset of the memory; false if nothing can be written there. */
    boolean land(long index, LandingPlace place) {
        try {
            if (isNull) {
                return false;
            }
            place.set(bufferAt(index), at(index));
            return true;
        } catch (RuntimeException | InternalError e) {
            return false;
        }
    }

    @Override
    public EmulatedMemoryRegion region() {
        return this;
    }

    /** How many times it was re-registered before: one with the same keys is not the one that a message was accepted for. */
    @Override
    public int binding() {
        return binding;
    }

    /** How many windows are bound to it. */
    public int windows() {
        return windows;
    }

    void countWindows(int change) {
        windows += change;
    }

    /** Whether it has neither been deregistered nor become another. */
    public boolean isRegistered() {
        return registered;
    }

    boolean isZeroBased() {
        return (access & AccessFlags.ZERO_BASED) != 0;
    }

    @Override
    public long indexOf(long coveredAddress) {
        return offset + (coveredAddress - address);
    }

    /** The address that the memory itself gives the byte of that address (MR-24); the address must be covered. */
    long memoryAddressOf(long coveredAddress) {
        return memoryAddressAt(indexOf(coveredAddress));
    }

    /** The address that the memory itself gives the byte at that offset. */
    long memoryAddressAt(long index) {
        return memory.address() + index;
    }

    /** Its keys are not valid from now on, and nothing comes by them any more. */
    void end() {
        registered = false;
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "region [0x" + Long.toHexString(address) + ",0x" + Long.toHexString(address + lengthBytes)
                + ") lkey=0x" + hex.toHexDigits(lkey) + " rkey=0x" + hex.toHexDigits(rkey)
                + " access=" + AccessFlags.describe(access);
    }

    /** Made with the first null region: most programs have none. */
    private static final class Zeros {

        /** What a null region reads as, for a whole packet at least. */
        static final ByteBuffer BYTES = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

        private Zeros() {}
    }
}
