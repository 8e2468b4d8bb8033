// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.fabric.LandingPlace;

/** What a remote key leads to: a region, or the part of one that a window is bound to. */
public interface RemoteTarget {

    /** The region whose bytes they are. */
    EmulatedMemoryRegion region();

    /** The offset in the region's memory at which the byte of that address is, as the key understands it; the address must be covered. */
    long indexOf(long coveredAddress);

    /** The first address that the key understands. */
    long firstAddress();

    /** How many bytes it leads to. */
    long boundBytes();

    /** What a message that was accepted under this key must still find: the window's binding, or always the same. */
    int binding();

    /** Sets {@code place} to the byte of that address, which must be covered; false if nothing can be written there. */
    default boolean locate(long coveredAddress, LandingPlace place) {
        return region().land(indexOf(coveredAddress), place);
    }
}
