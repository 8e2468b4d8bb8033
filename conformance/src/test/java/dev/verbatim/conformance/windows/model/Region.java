// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.AccessFlags;

/** A memory region. */
public final class Region {

    private final Pd pd;
    private final Space space;
    private final int offset;
    private final int lengthBytes;
    private final int access;
    private final int lkey;
    private final int rkey;
    boolean isRegistered = true;

    Region(Pd pd, Space space, int offset, int lengthBytes, int access, int lkey, int rkey) {
        this.pd = pd;
        this.space = space;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.lkey = lkey;
        this.rkey = rkey;
    }

    /** Its domain. */
    public Pd pd() {
        return pd;
    }

    /** The memory that it lies on. */
    public Space space() {
        return space;
    }

    /** The address of its first byte: that of the memory, or 0 (MR-20). */
    public long address() {
        return isZeroBased() ? 0 : space.address() + offset;
    }

    /** How many bytes. */
    public int lengthBytes() {
        return lengthBytes;
    }

    /** For local elements. */
    public int lkey() {
        return lkey;
    }

    /** For peers; 0 for none. */
    public int rkey() {
        return rkey;
    }

    /** Whether it was not deregistered yet. */
    public boolean isRegistered() {
        return isRegistered;
    }

    boolean isZeroBased() {
        return grants(AccessFlags.ZERO_BASED);
    }

    boolean grants(int rights) {
        return (access & rights) == rights;
    }

    /** MR-22, MR-23: never by adding, which could wrap. */
    boolean covers(long from, long count) {
        long into = from - address();
        return Long.compareUnsigned(from, address()) >= 0
                && Long.compareUnsigned(count, lengthBytes) <= 0
                && Long.compareUnsigned(into, lengthBytes - count) <= 0;
    }

    /** Where in the memory the byte of that address lies. */
    long offsetOf(long of) {
        return offset + (of - address());
    }
}
