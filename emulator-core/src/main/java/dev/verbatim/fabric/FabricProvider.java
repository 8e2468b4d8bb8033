// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Opens fabrics for tests, by the name that {@code dev.verbatim.junit.OnFabric} gives. A carrier offers one as a service: with the carrier
 * on the path, tests can use it; {@link java.util.ServiceLoader} finds it.
 */
public interface FabricProvider {

    /** What tests call the fabric, such as {@code tcp}. */
    String name();

    /**
     * Opens a fabric in this JVM that connects itself: its devices reach those of its neighbours as soon as they are open.
     *
     * @param neighbour one that this opened before, whose neighbours become neighbours of the new one, too; null for none
     */
    Fabric open(@Nullable Fabric neighbour);
}
