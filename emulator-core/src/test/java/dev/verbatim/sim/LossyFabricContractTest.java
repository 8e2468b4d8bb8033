// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricContract;

class LossyFabricContractTest extends FabricContract {

    @Override
    protected Fabric open() {
        return new LossyFabric(1, LinkFaults.NONE);
    }

    @Override
    protected void settle(Fabric fabric) {
        boolean happened;
        do {
            happened = ((LossyFabric) fabric).step();
        } while (happened);
    }
}
