// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.MadListener;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent.PacketDropped;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.ExtensionHeader.Deth;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import dev.verbatim.wire.mad.Rtu;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes in and out of queue pair 1, in conversation with the test, which is its peer. */
class ManagementQueuePairTest {

    private static final Gid PEER = Gid.ofGuid(0x99);
    private static final Gid OTHER = Gid.ofGuid(0x98);
    private static final int QUEUE_KEY = 0x8001_0000;
    private static final Octets MAD = new Rtu(1, 2, Octets.EMPTY).emit(7);

    private final ManualFabric fabric = new ManualFabric();
    private final RecordingTap tap = new RecordingTap();
    private final Device device =
            EmulatedDevice.open(fabric, "device", fabric.freshGuid(), DeviceProfile.STRICT_IBTA, tap);
    private final ManagementPort port = ((ManagedDevice) device).managementPort();
    private final MadListener agent = new MadListener();

    @AfterEach
    void close() {
        device.closeAll();
    }

    private void listen() {
        port.agent(itsPort -> agent);
    }

    private static Packet packet(Octets mad) {
        Packet packet = new Packet()
                .begin(Opcode.UD_SEND_ONLY)
                .migRequest(false)
                .destQp(1)
                .sourceQp(1)
                .queueKey(QUEUE_KEY);
        packet.payload().add(ByteBuffer.wrap(mad.toBytes()), 0, mad.lengthBytes());
        return packet;
    }

    private static Octets mad(int method, int attribute) {
        MadHeader header = new MadHeader(1, 7, 2, method, 0, 0, 0x1234_5678_9abcL, attribute, 0);
        return new Mad(header, Octets.of((byte) 5, (byte) 6)).emit();
    }

    private @Nullable PacketRecord sent() {
        return fabric.take(PEER);
    }

    /** Nothing has changed: a good one is taken as ever, and nothing was answered. */
    private void assertUnmoved() {
        assertThat(sent()).isNull();
        int before = agent.heard().size();
        fabric.deliver(PEER, packet(MAD));
        assertThat(agent.heard()).hasSize(before + 1);
        asserted();
    }

    /** So that runs repeat; where strangers can reach the device, other numbers take their place. */
    @Test
    void numbersAreNotDisguisedWithoutASeedThatWasDrawn() {
        assertThat(port.disguise().applyAsLong(1)).isEqualTo(1);
    }

    @Test
    @Rule("MAD-01")
    void datagramLeavesInItsEnvelope() {
        assertThat(port.send(PEER, MAD)).isTrue();
        assertThat(port.send(PEER, MAD)).isTrue();
        for (int psn = 0; psn < 2; psn++) {
            PacketRecord packet = sent();
            assertThat(packet).isNotNull();
            assertThat(packet.bth().opcode()).isEqualTo(Opcode.UD_SEND_ONLY);
            assertThat(packet.bth().solicited()).isFalse();
            assertThat(packet.bth().migRequest()).isFalse();
            assertThat(packet.bth().ackRequest()).isTrue();
            assertThat(packet.bth().pkey()).isEqualTo(0xffff);
            assertThat(packet.bth().destQp()).isEqualTo(1);
            assertThat(packet.bth().psn()).isEqualTo(psn);
            assertThat(packet.extensions()).isEqualTo(List.of(new Deth(QUEUE_KEY, 1)));
            assertThat(packet.payload()).isEqualTo(MAD);
        }
        assertThat(sent()).isNull();
        assertThat(tap.events(PacketSent.class)).hasSize(2).allMatch(event -> event.qp() == 1);
        asserted();
    }

    @Test
    @Rule("MAD-01")
    void oneCounterNumbersThePacketsToAllPeers() {
        port.send(PEER, MAD);
        assertThat(sent()).isNotNull();
        port.send(OTHER, MAD);
        PacketRecord toOther = fabric.take(OTHER);
        assertThat(toOther).isNotNull();
        assertThat(toOther.bth().psn()).isEqualTo(1);
        asserted();
    }

    @Test
    @Rule("MAD-03")
    void datagramComesToTheAgentWithItsSource() {
        listen();
        fabric.deliver(PEER, packet(MAD));
        fabric.deliver(OTHER, packet(MAD).pkey(0x7fff).sourceQp(17).ackRequest(true));
        assertThat(agent.heard()).containsExactly(PEER + " " + MAD, OTHER + " " + MAD);
        asserted();
    }

    @Test
    void thereIsOneAgentAndItIsMadeOnce() {
        assertThat(port.agent(itsPort -> agent)).isSameAs(agent);
        assertThat(port.agent(itsPort -> new MadListener())).isSameAs(agent);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 24, 252, 260, 4096})
    @Rule("MAD-02")
    void datagramOfAnotherLengthIsDroppedAndCounted(int lengthBytes) {
        listen();
        fabric.deliver(PEER, packet(Octets.of(new byte[lengthBytes])));
        assertDropped(ManagementDrop.LENGTH, "MAD-02", "payload=" + lengthBytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x8001_0001, 0x0001_0000, -1})
    @Rule("MAD-02")
    void datagramWithAnotherQueueKeyIsDroppedAndCounted(int key) {
        listen();
        fabric.deliver(PEER, packet(MAD).queueKey(key));
        assertDropped(ManagementDrop.QUEUE_KEY, "MAD-02", "Q_Key");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x1234, 0xfffe, 0x7ffe})
    @Rule("MAD-02")
    void datagramOfAnotherPartitionIsDroppedAndCounted(int pkey) {
        listen();
        fabric.deliver(PEER, packet(MAD).pkey(pkey));
        assertDropped(ManagementDrop.PARTITION_KEY, "MAD-02", "pkey=0x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SEND_ONLY", "UD_SEND_ONLY_WITH_IMM", "RDMA_WRITE_ONLY", "UC_SEND_ONLY", "ACKNOWLEDGE"})
    @Rule("MAD-02")
    void packetThatIsNoDatagramIsDroppedAndCounted(Opcode opcode) {
        listen();
        fabric.deliver(PEER, new Packet().begin(opcode).destQp(1));
        assertDropped(ManagementDrop.OPCODE, "MAD-02", "opcode=" + opcode);
    }

    @Test
    @Rule("MAD-05")
    void otherBaseVersionIsDroppedAndCounted() {
        listen();
        byte[] other = MAD.toBytes();
        other[0] = 2;
        fabric.deliver(PEER, packet(Octets.of(other)));
        assertDropped(ManagementDrop.VERSION, "MAD-05", "base version=2");
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "2, 16", "129, 1", "129, 16", "5, 1", "0, 0"})
    @Rule("MAD-05")
    void whatIsNoSendIsDroppedAndCounted(int method, int attribute) {
        listen();
        fabric.deliver(PEER, packet(mad(method, attribute)));
        assertDropped(ManagementDrop.METHOD, "MAD-05", "method=0x");
    }

    @Test
    @Rule("MAD-05")
    void datagramForNobodyIsDroppedAndCounted() {
        fabric.deliver(PEER, packet(MAD));
        assertThat(port.dropped(ManagementDrop.NO_AGENT)).isEqualTo(1);
        assertThat(sent()).isNull();
        asserted();
    }

    @Test
    void whoStandsInIsMadeByTheFirstDatagramThatNobodyElseTakes() {
        port.standIn(itsPort -> agent);
        assertThat(agent.heard()).isEmpty();
        fabric.deliver(PEER, packet(MAD));
        assertThat(agent.heard()).hasSize(1);
        MadListener late = new MadListener();
        assertThat(port.agent(itsPort -> late)).isSameAs(agent);
        assertThat(port.dropped(ManagementDrop.NO_AGENT)).isZero();
    }

    private void assertDropped(ManagementDrop cause, String rule, String words) {
        assertThat(agent.heard()).isEmpty();
        for (ManagementDrop each : ManagementDrop.values()) {
            assertThat(port.dropped(each)).as("%s", each).isEqualTo(each == cause ? 1 : 0);
        }
        assertThat(tap.events(PacketDropped.class)).singleElement().satisfies(dropped -> {
            assertThat(dropped.qp()).isEqualTo(1);
            assertThat(dropped.reason().rule()).isEqualTo(rule);
            assertThat(dropped.reason().sentence()).contains(words);
        });
        assertUnmoved();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Rule("MAD-04")
    void questionForWhatTheClassIsLikeIsAnsweredThatThereIsNoSuchThing(int method) {
        Octets question = mad(method, 1);
        fabric.deliver(PEER, packet(question));
        byte[] expected = question.toBytes();
        expected[3] = (byte) 0x81;
        expected[5] = 0x0c;
        PacketRecord answer = sent();
        assertThat(answer).isNotNull();
        assertThat(answer.payload()).isEqualTo(Octets.of(expected));
        assertThat(answer.bth().destQp()).isEqualTo(1);
        assertThat(sent()).isNull();
        asserted();
    }

    @Test
    @Rule("MAD-06")
    void moreThanMayWaitForOnePeerIsDroppedAndTheSenderToldAndOthersAreServed() {
        for (int i = 0; i < DeviceLimits.MAX_UNSENT_MADS_TO_ONE_PEER; i++) {
            assertThat(port.send(PEER, MAD)).isTrue();
        }
        assertThat(port.send(PEER, MAD)).isFalse();
        assertThat(port.dropped(ManagementDrop.FULL)).isEqualTo(1);
        assertThat(port.send(OTHER, MAD)).isTrue();
        assertThat(sent()).isNotNull();
        assertThat(port.send(PEER, MAD)).isTrue();
        asserted();
    }

    @Test
    @Rule("MAD-06")
    void moreThanMayWaitInAllIsDropped() {
        for (int i = 0; i < DeviceLimits.MAX_UNSENT_MADS; i++) {
            assertThat(port.send(Gid.ofGuid(0x1000 + i / DeviceLimits.MAX_UNSENT_MADS_TO_ONE_PEER), MAD))
                    .isTrue();
        }
        assertThat(port.send(PEER, MAD)).isFalse();
        assertThat(fabric.take(Gid.ofGuid(0x1000))).isNotNull();
        assertThat(port.send(PEER, MAD)).isTrue();
        asserted();
    }

    /** The link is another one when another life of the peer has come. */
    @Test
    @Rule("MAD-06")
    void whatWaitsForALinkThatIsNoMoreDoesNotCount() {
        for (int i = 0; i < DeviceLimits.MAX_UNSENT_MADS - 1; i++) {
            port.send(Gid.ofGuid(0x1000 + i / DeviceLimits.MAX_UNSENT_MADS_TO_ONE_PEER), MAD);
        }
        fabric.close();
        assertThat(port.send(Gid.ofGuid(0x1000), MAD)).isTrue();
        assertThat(port.send(PEER, MAD)).isTrue();
        assertThat(port.dropped(ManagementDrop.FULL)).isZero();
        asserted();
    }

    @Test
    @Rule("MAD-06")
    void strangersWhoAskAndDoNotTakeTheirAnswersCostNoMoreThanMayWait() {
        for (int i = 0; i < DeviceLimits.MAX_UNSENT_MADS_TO_ONE_PEER + 10; i++) {
            fabric.deliver(PEER, packet(mad(MadHeader.METHOD_GET, 1)));
        }
        assertThat(port.dropped(ManagementDrop.FULL)).isEqualTo(10);
        asserted();
    }

    @Test
    void onlyWholeDatagramsAreSent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> port.send(PEER, Octets.of(new byte[255])))
                .withMessageContaining("length=255 is not 256");
    }

    @Test
    void queuePairsOfProgramsHaveOtherNumbers() {
        assertThat(DeviceProfile.FIRST_QP_NUMBER).isGreaterThan(ManagementPort.QP_NUMBER);
    }

    @Test
    void portSaysWhoseItIs() {
        assertThat(port.gid()).isEqualTo(device.gid());
        assertThat(port.guid()).isEqualTo(device.query().guid());
        assertThat(port.deviceName()).isEqualTo("device");
        assertThat(port.lane()).isSameAs(fabric.lane());
    }

    @Test
    void agentOfAClosedDeviceIsToldOnceAndMaySayALastWord() {
        listen();
        agent.lastWord(port, PEER, MAD);
        device.close();
        assertThat(agent.heard()).containsExactly("closed");
        PacketRecord lastWord = sent();
        assertThat(lastWord).isNotNull();
        assertThat(lastWord.payload()).isEqualTo(MAD);
        assertThat(port.send(PEER, MAD)).isFalse();
        assertRefused(Errno.EINVAL, "PD-07", () -> port.agent(itsPort -> agent), "was closed");
    }

    @Test
    void agentOfADeviceThatFailedIsToldAndHearsAndSaysNothingMore() {
        listen();
        port.send(PEER, MAD);
        agent.lastWord(port, PEER, MAD);
        device.inject(EventType.DEVICE_FATAL);
        fabric.deliver(PEER, packet(MAD));
        assertThat(agent.heard()).containsExactly("closed");
        assertThat(sent()).isNull();
        assertThat(port.send(PEER, MAD)).isFalse();
        device.closeAll();
        assertThat(agent.heard()).containsExactly("closed");
    }

    @Test
    @Rule("MAD-07")
    void agentIsToldThatAWayIsLost() {
        listen();
        fabric.loseCarrier(PEER);
        assertThat(agent.heard()).containsExactly("lost " + PEER);
        asserted();
    }
}
