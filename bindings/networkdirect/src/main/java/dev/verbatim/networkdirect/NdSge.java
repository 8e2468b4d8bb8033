// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Sge;
import java.util.Locale;

/** A piece of local memory ({@code ND2_SGE}); make it once and use it again and again. */
public final class NdSge {

    /** No element: a request without data. */
    public static final NdSge[] NONE = {};

    private final Sge element;

    /**
     * A piece of memory.
     *
     * @param address of the first byte
     * @param lengthBytes number of bytes, unsigned
     * @param memoryRegionToken {@link NdMemoryRegion#getLocalToken()} of the region that it lies in
     */
    public NdSge(long address, int lengthBytes, int memoryRegionToken) {
        this.element = new Sge(address, lengthBytes, memoryRegionToken);
    }

    /** Address of the first byte. */
    public long address() {
        return element.address();
    }

    /** Number of bytes, unsigned. */
    public int lengthBytes() {
        return element.lengthBytes();
    }

    /** The local token. */
    public int memoryRegionToken() {
        return element.lkey();
    }

    Sge element() {
        return element;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "[0x%x,+%d) token=0x%08x",
                address(),
                Integer.toUnsignedLong(lengthBytes()),
                memoryRegionToken());
    }
}
