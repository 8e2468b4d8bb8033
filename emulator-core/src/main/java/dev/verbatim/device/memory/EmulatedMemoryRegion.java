// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A registered region as the device has it: keys, rights and the bytes behind them, the same all its life. A re-registration ends one
 * and begins another; what programs hold is a {@link RegionHandle}, which follows.
 */
public final class EmulatedMemoryRegion implements RemoteTarget {

    final PdIdentity pd;
    private final Memory memory;
    final ByteBuffer buffer;
    private final int offset;
    private final long address;
    private final int lengthBytes;
    final int access;
    final int lkey;
    final int rkey;
    private final int binding;
    private int windows;
    volatile boolean registered = true;

    EmulatedMemoryRegion(
            PdIdentity pd,
            Memory memory,
            int offset,
            int lengthBytes,
            long address,
            int access,
            int lkey,
            int rkey,
            int binding) {
        this.pd = pd;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.offset = offset;
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.lkey = lkey;
        this.rkey = rkey;
        this.binding = binding;
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
    int offset() {
        return offset;
    }

    /** Address of its first byte as local elements and peers name it (MR-20). */
    long address() {
        return address;
    }

    int lengthBytes() {
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

    /** The memory behind the region; use with {@link #indexOf}. */
    ByteBuffer buffer() {
        return buffer;
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
    public int indexOf(long coveredAddress) {
        return offset + (int) (coveredAddress - address);
    }

    /** The address that the memory itself gives the byte of that address (MR-24); the address must be covered. */
    long memoryAddressOf(long coveredAddress) {
        return memoryAddressAt(indexOf(coveredAddress));
    }

    /** The address that the memory itself gives the byte at that index of {@link #buffer()}. */
    long memoryAddressAt(int index) {
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
}
