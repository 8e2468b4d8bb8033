// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import java.util.Locale;

/** Bytes of registered memory cannot be used now, its owner says: they are not mapped, or protected. */
final class UnusableMemory extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableMemory(EmulatedMemoryRegion region, long index, long count, boolean written) {
        super(sentence(region, index, count, written), null, false, false);
    }

    static String sentence(EmulatedMemoryRegion region, long index, long count, boolean written) {
        long from = region.memoryAddressAt(index);
        return String.format(
                Locale.ROOT,
                "the memory [0x%x,0x%x) of %s cannot be %s: the program has unmapped it, or its protection forbids that;"
                        + " deregister a region before its memory goes",
                from,
                from + count,
                region,
                written ? "written" : "read");
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // explanations quote it, and the class says nothing to a reader
    public String toString() {
        return String.valueOf(getMessage());
    }
}
