// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.Locale;

/** Bytes of memory, by its own addresses. */
record Range(long address, long lengthBytes) {

    boolean overlaps(Range other) {
        return address < other.end() && other.address < end();
    }

    boolean covers(Range other) {
        return address <= other.address && other.end() <= end();
    }

    /** The bytes that both have; they must overlap. */
    Range common(Range other) {
        long from = Math.max(address, other.address);
        return new Range(from, Math.min(end(), other.end()) - from);
    }

    long end() {
        return address + lengthBytes;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "[0x%x,0x%x)", address, end());
    }
}
