// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.check;

import dev.verbatim.conformance.scenario.spec.RegionSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has a name because a step makes it.
 *
 * @param regions regions that are registered
 * @param windows names of windows that are allocated
 */
public record StepObjects(List<Region> regions, List<String> windows) {

    /** Nothing. */
    public static final StepObjects NONE = new StepObjects(List.of(), List.of());

    /**
     * A region on the memory of another one.
     *
     * @param name of the region that is made
     * @param memory name of the region whose memory it is on
     * @param offset first byte of that memory
     * @param lengthBytes how many; null for the rest
     */
    public record Region(
            String name,
            String memory,
            int offset,
            @Nullable Integer lengthBytes) {

        /** Its size, where these are the regions of the node. */
        public int sizeIn(Map<String, RegionSpec> regions) {
            RegionSpec on = regions.get(memory);
            if (lengthBytes != null || on == null) {
                return lengthBytes == null ? 0 : lengthBytes;
            }
            return on.sizeBytes() - offset;
        }
    }

    /** Copies the lists. */
    public StepObjects {
        regions = List.copyOf(regions);
        windows = List.copyOf(windows);
    }

    /** A region. */
    public static StepObjects of(Region region) {
        return new StepObjects(List.of(region), List.of());
    }

    /** A window. */
    public static StepObjects window(String name) {
        return new StepObjects(List.of(), List.of(name));
    }
}
