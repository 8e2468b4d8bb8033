// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** The region of one side of a {@link Story}, of which binds know the local key. */
record StoryRegion(long address) implements MemoryRegion {

    @Override
    public ProtectionDomain pd() {
        throw new UnsupportedOperationException("nothing in a story has a domain");
    }

    @Override
    public Memory memory() {
        throw new UnsupportedOperationException("nothing in a story has memory");
    }

    @Override
    public long lengthBytes() {
        return Story.REGION_BYTES;
    }

    @Override
    public int access() {
        return 0;
    }

    @Override
    public int lkey() {
        return Story.KEY;
    }

    @Override
    public int rkey() {
        return Story.KEY;
    }

    @Override
    public void reregister(
            int flags,
            @Nullable ProtectionDomain pd,
            @Nullable Memory memory,
            long offset,
            long lengthBytes,
            int access) {
        throw new UnsupportedOperationException("the region of a story stays as it is");
    }

    @Override
    public void close() {}
}
