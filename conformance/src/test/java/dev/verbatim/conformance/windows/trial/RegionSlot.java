// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Region;
import dev.verbatim.verbs.MemoryRegion;

/** What has a name such as {@code m1}. */
final class RegionSlot {

    Region model;
    MemoryRegion real;

    RegionSlot(Region model, MemoryRegion real) {
        this.model = model;
        this.real = real;
    }
}
