// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.OneFabricWorld;
import dev.verbatim.fabric.StepFailureContract;

/** Steps that fail in virtual time. */
class VirtualStepFailureTest extends StepFailureContract {

    @Override
    protected World world() {
        return new OneFabricWorld(new LossyFabric(1, LinkFaults.NONE));
    }
}
