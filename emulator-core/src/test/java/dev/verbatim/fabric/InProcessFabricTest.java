// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Work that a call leaves behind is done when the call returns, so there is nothing to wait for. */
class InProcessFabricTest extends FabricContract {

    @Override
    protected Fabric open() {
        return new InProcessFabric();
    }

    @Override
    protected void settle(Fabric fabric) {}
}
