// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.AccessFlags;
import java.util.Locale;

/**
 * What a window of type 1 has after a bind of more than nothing, and a window of type 2 while it is Valid.
 *
 * @param key the only key that opens it, all 32 bits of it (MW-102)
 * @param address of the first byte, as the region has it
 * @param access the window's own rights (MW-106)
 * @param qp over which it was bound
 * @param identity the life of that queue pair in which it was bound (MW-94, MW-95)
 */
public record Binding(int key, Region region, long address, long lengthBytes, int access, Qp qp, Object identity) {

    boolean grants(int rights) {
        return (access & rights) == rights;
    }

    /** The address by which a peer names the first byte (MW-107). */
    public long base() {
        return (access & AccessFlags.ZERO_BASED) != 0 ? 0 : address;
    }

    /** The window's range, not that of the region (MW-107). */
    boolean covers(long from, long count) {
        long into = from - base();
        return Long.compareUnsigned(from, base()) >= 0
                && Long.compareUnsigned(count, lengthBytes) <= 0
                && Long.compareUnsigned(into, lengthBytes - count) <= 0;
    }

    boolean isInRegion(long from, long count) {
        return region.covers(address + (from - base()), count);
    }

    /** Where in the memory the byte of that address lies. */
    long offsetOf(long of) {
        return region.offsetOf(address + (of - base()));
    }

    /** Whether nobody can use it any more, because the queue pair's life is over (MW-94, MW-95). */
    @SuppressWarnings("ReferenceEquality") // As below.
    public boolean isUnreachable() {
        return identity != qp.identity;
    }

    /** Whether this is the queue pair that it was bound over, and still in the same life. */
    @SuppressWarnings("ReferenceEquality") // Identity is the point: a number that came back is another queue pair.
    boolean isOf(Qp other) {
        return identity == other.identity;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "key 0x%08x on [0x%x,0x%x) with %s by %s",
                key,
                address,
                address + lengthBytes,
                AccessFlags.describe(access),
                qp);
    }
}
