// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** A registered region: keys, rights and the bytes behind them. */
public final class EmulatedMemoryRegion implements MemoryRegion, RemoteTarget {

    private final EmulatedProtectionDomain pd;
    private final Memory memory;
    private final ByteBuffer buffer;
    private final int offset;
    private final long address;
    private final int lengthBytes;
    private final int access;
    private final int lkey;
    private final int rkey;
    private int windows;
    private volatile boolean registered = true;

    EmulatedMemoryRegion(
            EmulatedProtectionDomain pd,
            Memory memory,
            int offset,
            int lengthBytes,
            long address,
            int access,
            int lkey,
            int rkey) {
        this.pd = pd;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.offset = offset;
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.lkey = lkey;
        this.rkey = rkey;
    }

    @Override
    public EmulatedProtectionDomain pd() {
        return pd;
    }

    @Override
    public Memory memory() {
        return memory;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public int lengthBytes() {
        return lengthBytes;
    }

    @Override
    public int access() {
        return access;
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    /** Whether its bytes have the addresses that the memory gives them (MR-24), and not others (MR-20). */
    boolean hasAddressOfMemory() {
        return address == memory.address() + offset;
    }

    /** Whether the bytes from {@code from} on lie inside, in unsigned arithmetic that cannot wrap (MR-22, MR-23). */
    boolean covers(long from, long count) {
        return AddressRange.covers(address, lengthBytes, from, count);
    }

    /** The memory behind the region; use with {@link #indexOf}. */
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public EmulatedMemoryRegion region() {
        return this;
    }

    /** A region has the same keys for the same bytes all its life. */
    @Override
    public int binding() {
        return 0;
    }

    /** How many windows are bound to it. */
    int windows() {
        return windows;
    }

    void countWindows(int change) {
        windows += change;
    }

    /** Whether it has not been deregistered. */
    boolean isRegistered() {
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

    @Override
    public void close() {
        pd.device().lane().call(() -> {
            if (!registered) {
                throw VerbsException.of(Errno.ENOENT, "MR-56", "%s was deregistered before", this);
            }
            if (windows > 0) {
                pd.device().memory().deregisteringBound(this);
            }
            end();
        });
    }

    /** Ends it. On the lane. */
    void end() {
        registered = false;
        pd.deregister(this);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "region [0x%x,0x%x) lkey=0x%08x rkey=0x%08x access=%s",
                address,
                address + lengthBytes,
                lkey,
                rkey,
                AccessFlags.describe(access));
    }
}
