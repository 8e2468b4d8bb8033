// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.MadListener;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Rtu;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Management datagrams in virtual time: lost, doubled and overtaken like all others, and the same way in each run of a seed. */
class ManagementInSimulationTest {

    private static final int COUNT = 200;
    private static final LinkFaults FAULTS =
            LinkFaults.NONE.dropping(100).duplicating(100).delaying(200, 30_000);

    private static Octets mad(int number) {
        return new Rtu(number, 0, Octets.EMPTY).emit(number);
    }

    private static List<String> arrivals(long seed) {
        MadListener agent = new MadListener();
        try (LossyFabric fabric = new LossyFabric(seed, FAULTS);
                Verbatim door = Verbatim.over(fabric)) {
            ManagementPort left = ((ManagedDevice) door.open("left")).managementPort();
            ManagementPort right = ((ManagedDevice) door.open("right")).managementPort();
            right.agent(port -> agent);
            left.lane().call(() -> {
                for (int i = 0; i < COUNT; i++) {
                    left.send(right.gid(), mad(i));
                }
            });
            while (fabric.step()) {
                continue;
            }
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                expected.add(left.gid() + " " + mad(i));
            }
            assertThat(expected).containsAll(agent.heard());
        }
        return agent.heard();
    }

    @Test
    void faultsOfLinksStrikeManagementDatagramsToo() {
        List<String> heard = arrivals(1);
        List<String> once = heard.stream().distinct().toList();
        assertThat(once).as("some are lost").hasSizeLessThan(COUNT).hasSizeGreaterThan(COUNT / 2);
        assertThat(heard).as("some come twice").hasSizeGreaterThan(once.size());
        assertThat(once)
                .as("some overtake others")
                .isNotEqualTo(once.stream().sorted().toList());
    }

    @Test
    void sameSeedGivesTheSameRun() {
        assertThat(arrivals(7)).isEqualTo(arrivals(7)).isNotEqualTo(arrivals(8));
    }

    /** Whatever the schedule has it: the last word is on its way when the device has gone. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    @Rule("MAD-07")
    void lastWordOfADeviceThatIsClosedArrives(long seed) {
        MadListener atLeft = new MadListener();
        MadListener atRight = new MadListener();
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
            ManagementPort left = ((ManagedDevice) simulation.open("left")).managementPort();
            Device rightDevice = simulation.open("right");
            ManagementPort right = ((ManagedDevice) rightDevice).managementPort();
            left.agent(port -> atLeft);
            right.agent(port -> atRight);
            atRight.lastWord(right, left.gid(), mad(9));
            simulation.node("right", node -> rightDevice.closeAll());
            simulation.run();
            assertThat(atLeft.heard()).containsExactly(right.gid() + " " + mad(9));
        }
    }

    @Test
    void scheduledDevicesSpeakAndACrashIsToldToNobody() {
        RecordingTap tap = new RecordingTap();
        MadListener atLeft = new MadListener();
        MadListener atRight = new MadListener();
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.seeded(42), OpenChoices.LEGAL), SimulationOptions.USUAL).tap(tap)) {
            Device leftDevice = simulation.open("left");
            Device rightDevice = simulation.open("right");
            ManagementPort left = ((ManagedDevice) leftDevice).managementPort();
            ManagementPort right = ((ManagedDevice) rightDevice).managementPort();
            left.agent(port -> atLeft);
            right.agent(port -> atRight);
            left.lane().call(() -> {
                for (int i = 0; i < 3; i++) {
                    left.send(right.gid(), mad(i));
                }
            });
            simulation.run();
            atRight.lastWord(right, left.gid(), mad(9));
            simulation.crash(rightDevice);
            simulation.run();
            assertThat(atRight.heard()).hasSize(4).endsWith("closed");
            assertThat(atLeft.heard()).isEmpty();
            assertThat(simulation.underWay()).isEmpty();
        }
        assertThat(tap.events(TraceEvent.PacketReceived.class)).hasSize(3).allMatch(event -> event.qp() == 1);
    }
}
