// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.EventChannel;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Spoken;
import dev.verbatim.trace.MemoryTap;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever a program gets from a public method says in a log what it is. */
class SpokenObjectsTest {

    private static final Set<String> EXPORTED = Set.of(
            "dev.verbatim",
            "dev.verbatim.cm",
            "dev.verbatim.fabric",
            "dev.verbatim.profile",
            "dev.verbatim.sim",
            "dev.verbatim.trace",
            "dev.verbatim.verbs");

    @Test
    void whatPublicMethodsReturnHasAText() {
        assertThat(Spoken.mute(Verbatim.class, EXPORTED)).isEmpty();
    }

    /** No line of a log shows where an object lies. */
    @Test
    void textsNameWhatTheyAreOf() {
        List<Object> objects = new ArrayList<>(List.of(
                DeviceProfile.STRICT_IBTA,
                DeviceProfile.RXE_LIKE.windows(),
                DeviceProfile.RXE_LIKE.toBuilder(),
                CompletionSwitches.STRICT,
                PostingSwitches.STRICT,
                Choices.seeded(1),
                Choices.canonical(),
                Choices.recorded(Choices.canonical()),
                new MemoryTap(3),
                RcConnection.USUAL,
                SimulationOptions.USUAL,
                new Exploration(OpenChoices.LEGAL),
                AddressSpace.current(),
                new QpAttributes().state(QpState.RTS).timeout(14).destinationQp(0x11)));
        try (Verbatim verbatim = Verbatim.inProcess();
                Simulation simulation =
                        new Simulation(Schedule.by(Choices.seeded(1), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
            Device device = verbatim.open("left");
            CompletionChannel channel = device.createCompletionChannel();
            CompletionQueue cq = device.createCq(4, null, channel, 0);
            ProtectionDomain pd = device.allocatePd();
            QueuePair qp = pd.createQp(QpInitAttributes.rc(cq));
            MemoryRegion region = pd.register(Memory.allocate(64), AccessFlags.LOCAL_WRITE);
            objects.addAll(List.of(
                    verbatim,
                    simulation,
                    simulation.fabric(),
                    simulation.open("right"),
                    device,
                    device.query(),
                    device.queryPort(1),
                    device.gid(),
                    channel,
                    cq,
                    pd,
                    qp,
                    qp.query(),
                    qp.initAttributes(),
                    region,
                    region.memory(),
                    region.sge(0, 8),
                    pd.allocateWindow(MemoryWindowType.TYPE_2),
                    EventChannel.open(device),
                    device.openXrcDomain()));
            assertThat(objects)
                    .allSatisfy(object -> assertThat(object.toString())
                            .as(object.getClass().getName())
                            .isNotBlank()
                            .doesNotContainPattern("@[0-9a-f]{4,}"));
        }
        assertThat(new QpAttributes().state(QpState.RTS).timeout(14))
                .hasToString("QpAttributes[state=RTS, timeout=14]");
    }
}
