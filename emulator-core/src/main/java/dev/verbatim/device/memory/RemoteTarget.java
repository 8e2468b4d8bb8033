// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.fabric.LandingPlace;

/** What a remote key leads to: a region, or the part of one that a window is bound to. */
public interface RemoteTarget {

    /** The region whose bytes they are. */
    EmulatedMemoryRegion region();

    /** Where in the region's buffer the byte of that address is, as the key understands it; the address must be covered. */
    int indexOf(long coveredAddress);

    /** The first address that the key understands. */
    long firstAddress();

    /** How many bytes it leads to. */
    long boundBytes();

    /** What a message that was accepted under this key must still find: the window's binding, or always the same. */
    int binding();

    /** Sets {@code place} to the byte of that address, which must be covered. */
    default void locate(long coveredAddress, LandingPlace place) {
        place.set(region().buffer(), indexOf(coveredAddress));
    }
}
