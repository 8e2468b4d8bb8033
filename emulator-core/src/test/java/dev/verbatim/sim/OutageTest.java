// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.MemoryTap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to more than a packet: damage, cuts, silence, and the end and return of a device. */
@Tag("smoke")
class OutageTest {

    private static final int TRACED_EVENTS = 10_000;

    private final MemoryTap trace = new MemoryTap(TRACED_EVENTS);
    private Simulation simulation;
    private Side left;
    private Side right;

    @BeforeEach
    void connect() {
        open(SimulationOptions.USUAL, Schedule.by(Choices.canonical(), OpenChoices.NONE));
    }

    private void open(SimulationOptions options, Schedule schedule) {
        simulation = new Simulation(schedule, options).tap(trace);
        left = new Side(simulation.open("left"), QpCapabilities.USUAL);
        right = new Side(simulation.open("right"), QpCapabilities.USUAL);
        RcConnection.USUAL.withRetries(8, 7, 7, 1).join(left.qp, right.qp);
    }

    @AfterEach
    void close() {
        simulation.close();
    }

    /** The first packet that is meant meets the fate, all others arrive. */
    private void first(Predicate<Packet> meant, Fate fate) {
        boolean[] met = {false};
        simulation.fabric().decideBy((from, to, packet) -> {
            if (met[0] || !meant.test(packet)) {
                return Fate.DELIVER;
            }
            met[0] = true;
            return fate;
        });
    }

    private SendWorkRequest add() {
        return SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, left.sge(0, 8));
    }

    private void assertTold(String fault) {
        assertThat(trace.events())
                .filteredOn(TraceEvent.LinkFaulted.class::isInstance)
                .extracting(event -> ((TraceEvent.LinkFaulted) event).fault())
                .containsExactly(fault);
    }

    @Test
    @Rule("N-05")
    void damagedPacketIsCaughtByItsIcrcAndSentAgain() {
        first(packet -> packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE, Fate.CORRUPT);
        left.qp.postSend(add());
        assertThat(left.sent().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(right.bytes().getLong(0)).isEqualTo(1);
        assertTold("damages");
    }

    @Test
    @Rule("QP-29")
    void cutThatHealsInTimeIsALossAndNoMore() {
        first(packet -> packet.opcode() == Opcode.FETCH_ADD, Fate.outage(Outage.CUT, 2_000_000));
        left.qp.postSend(add());
        assertThat(left.sent().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(right.bytes().getLong(0)).isEqualTo(1);
        assertThat(simulation.fabric().clock().nanoTime()).isGreaterThan(2_000_000);
        assertTold("is cut for 2000000 ns at");
    }

    @Test
    @Rule("QP-29")
    void silentPeerIsFoundOutByItsRequesterOnly() {
        first(packet -> packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE, Fate.outage(Outage.SILENCE, 0));
        left.qp.postSend(add());
        assertThat(left.sent().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(right.bytes().getLong(0))
                .as("it was executed all the same (N8)")
                .isEqualTo(1);
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    @Test
    void crashedDeviceIsGoneForItsProgramAndSilentForItsPeer() {
        first(packet -> packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE, Fate.outage(Outage.CRASH, 0));
        left.qp.postSend(add());
        assertThat(left.sent().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThatThrownBy(() -> right.device.allocatePd())
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("was closed");
        assertTold("crashes at");
    }

    @Test
    void deviceThatComesBackIsAnotherLifeAndCanBeConnectedAnew() {
        simulation.crash(right.device);
        left.qp.postSend(add());
        assertThat(left.sent().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        long guid = right.device.gid().interfaceId();
        Side back = new Side(simulation.open("right", guid, DeviceProfile.STRICT_IBTA), QpCapabilities.USUAL);
        Side anew = new Side(left.device, QpCapabilities.USUAL);
        RcConnection.connect(anew.qp, back.qp);
        anew.qp.postSend(SendWorkRequest.fetchAndAdd(1, back.address(0), back.rkey(), 1, anew.sge(0, 8)));
        assertThat(anew.sent().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(back.bytes().getLong(0)).isEqualTo(1);
    }

    @Test
    void everyOutageIsDrawnWhereItsPointIsOn() {
        for (ChoicePoint point : ChoicePoint.values()) {
            if (point.kind() == ChoicePoint.Kind.FAULT) {
                close();
                trace.clear();
                LinkFaults faults = LinkFaults.NONE.delaying(0, 1_000).with(point, 1_000);
                OpenChoices once = new OpenChoices(OpenChoices.of(point).points(), 1);
                open(SimulationOptions.USUAL.withFaults(faults), Schedule.by(Choices.seeded(1), once));
                left.qp.postSend(add());
                simulation.fabric().passNanos(1_000_000);
                assertThat(trace.events()).as(point.label()).anyMatch(TraceEvent.LinkFaulted.class::isInstance);
            }
        }
    }
}
