// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Steps that fail on a lane that is a lock. */
class InProcessStepFailureTest extends StepFailureContract {

    @Override
    protected World world() {
        return new OneFabricWorld(new InProcessFabric());
    }
}
