// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.SabotagedFabric;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import org.jspecify.annotations.Nullable;

/** Both devices on one fabric. */
public final class OneFabricWorld implements StepFailureContract.World {

    private final SabotagedFabric fabric;
    private final Verbatim verbatim;

    /** Without devices. */
    public OneFabricWorld(Fabric fabric) {
        this.fabric = new SabotagedFabric(fabric);
        this.verbatim = Verbatim.over(this.fabric);
    }

    @Override
    public Device open(String name, @Nullable Tap tap) {
        return (tap == null ? verbatim : verbatim.tap(tap)).open(name);
    }

    @Override
    public SabotagedFabric fabricOf(Device device) {
        return fabric;
    }

    @Override
    public void close() {
        verbatim.close();
    }
}
