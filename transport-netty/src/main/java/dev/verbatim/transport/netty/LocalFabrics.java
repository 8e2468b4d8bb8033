// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricProvider;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Offers {@code tcp} to tests: fabrics that dial each other over loopback as soon as they have devices. */
public final class LocalFabrics implements FabricProvider {

    /** For {@link java.util.ServiceLoader}. */
    public LocalFabrics() {}

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public Fabric open(@Nullable Fabric neighbour) {
        return new LocalFabric(
                NettyFabric.open(), neighbour instanceof LocalFabric local ? local.group() : new ArrayList<>());
    }

    @Override
    public String toString() {
        return name();
    }
}
