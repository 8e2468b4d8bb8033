// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.verbs.MemoryRegion;

/** A region and the memory under it. */
public record TrackedRegion(Side side, MemoryBlock block, MemoryRegion region) {

    /** Deregisters it, if the device lets it. */
    public void close() {
        region.close();
        side.regions().remove(this);
        block.leave();
    }
}
