// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.MadListener;
import dev.verbatim.verbs.Device;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Rtu;
import org.junit.jupiter.api.Test;

/** A device with two ports crashes, and says nothing more by either. */
class CrashedPortsTest {

    private static final DeviceProfile TWO_PORTS = DeviceProfile.STRICT_IBTA.toBuilder()
            .limits(DeviceLimits.DEFAULT.toBuilder().physicalPorts(2).build())
            .build();

    @Test
    void lastWordOfNoPortGetsOut() {
        MadListener atLeft = new MadListener();
        MadListener atRight = new MadListener();
        Octets farewell = new Rtu(1, 0, Octets.EMPTY).emit(1);
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL)) {
            Device leftDevice = simulation.open("left", TWO_PORTS);
            Device rightDevice = simulation.open("right", TWO_PORTS);
            ManagementPort left = ((ManagedDevice) leftDevice).managementPort(2);
            ManagementPort right = ((ManagedDevice) rightDevice).managementPort(2);
            left.agent(port -> atLeft);
            right.agent(port -> atRight);
            atRight.lastWord(right, left.gid(), farewell);
            simulation.crash(rightDevice);
            simulation.run();
            assertThat(atRight.heard()).containsExactly("closed");
            assertThat(atLeft.heard()).isEmpty();
        }
    }
}
