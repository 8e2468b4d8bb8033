// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.WatchedTap;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.StepFailureContract;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.SabotagedFabric;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import org.jspecify.annotations.Nullable;

/** Steps that fail where the schedule decides what is next. */
class SimulatedStepFailureTest extends StepFailureContract {

    private static final long SEED = 3;

    @Override
    protected World world() {
        return new SimulatedWorld();
    }

    private static final class SimulatedWorld implements World {

        private final Simulation simulation =
                new Simulation(Schedule.by(Choices.seeded(SEED), OpenChoices.LEGAL), SimulationOptions.USUAL);
        private final SabotagedFabric fabric = new SabotagedFabric(simulation.fabric());
        private @Nullable WatchedTap watched;

        @Override
        public Device open(String name, @Nullable Tap tap) {
            if (watched == null && tap != null) {
                watched = WatchedTap.of(tap);
            }
            return EmulatedDevice.open(fabric, name, fabric.freshGuid(), DeviceProfile.STRICT_IBTA, watched);
        }

        @Override
        public SabotagedFabric fabricOf(Device device) {
            return fabric;
        }

        @Override
        public void close() {
            simulation.close();
            if (watched != null) {
                watched.rethrow();
            }
        }
    }
}
