// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static dev.verbatim.sim.TwoDevices.A;
import static dev.verbatim.sim.TwoDevices.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.sim.network.InFlightPackets;
import dev.verbatim.testing.LogCapture;
import dev.verbatim.testing.PacketLog;
import dev.verbatim.testing.PacketQueue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Rule("N-05")
class LossyFabricTest {
    private final TwoDevices devices = new TwoDevices(new LossyFabric(1, LinkFaults.NONE));
    private final LossyFabric fabric = devices.fabric;

    @Test
    void packetTakesTheLatencyOfTheLink() {
        TwoDevices slow = new TwoDevices(new LossyFabric(1, LinkFaults.NONE.withLatencyNanos(70)));
        slow.toB.sendPsns(1, 2);
        slow.settle();
        assertThat(slow.atB.log()).containsExactly("1@70", "2@70");
    }

    @Test
    void payloadIsThatOfTheTimeOfSending() {
        PacketLog atC = new PacketLog();
        Gid gid = Gid.ofGuid(0xc);
        fabric.attach(gid, atC);
        ByteBuffer memory = ByteBuffer.allocateDirect(8).putLong(0, 0x1111111111111111L);
        sendOnce(gid, packet -> packet.begin(Opcode.SEND_ONLY).payload().add(memory, 0, 8));
        fabric.step();
        memory.putLong(0, 0x2222222222222222L);
        devices.settle();
        assertThat(atC.packets().get(0).payload().asByteBuffer().getLong(0)).isEqualTo(0x1111111111111111L);
    }

    @Test
    void largePacketArrivesAfterSmallOnesInTheSameBuffers() {
        PacketLog atC = new PacketLog();
        Gid gid = Gid.ofGuid(0xc);
        fabric.attach(gid, atC);
        PacketQueue queue = TwoDevices.queue(devices.a, gid);
        List<PacketRecord> sent = new ArrayList<>();
        for (int lengthBytes : new int[] {0, 5, 300, 4096, 3, 4096, 1}) {
            Packet packet = new Packet().begin(Opcode.RDMA_WRITE_MIDDLE).psn(sent.size());
            byte[] bytes = new byte[lengthBytes];
            Arrays.fill(bytes, (byte) sent.size());
            packet.payload().add(ByteBuffer.wrap(bytes), 0, lengthBytes);
            sent.add(PacketRecord.of(packet));
            queue.send(PacketRecord.of(packet));
            devices.settle();
        }
        assertThat(atC.packets()).isEqualTo(sent);
    }

    @Test
    void packetThatNoReceiverWouldReadIsDroppedWithALogLine() {
        sendOnce(B, packet -> packet.begin(Opcode.ACKNOWLEDGE).syndrome(0x40));
        devices.toB.sendPsns(2);
        try (LogCapture log = new LogCapture(InFlightPackets.class)) {
            devices.settle();
            assertThat(log.records()).hasSize(1);
            assertThat((String) log.records().remove().getParameters()[0]).contains("reserved syndrome=0x40");
        }
        assertThat(devices.atB.psns()).containsExactly(2);
    }

    @Test
    void sourceIsNotPulledWhileTheFabricIsFullAndNothingIsLost() {
        int[] psns = IntStream.range(0, InFlightPackets.MOST + 100).toArray();
        devices.toB.sendPsns(psns);
        for (int i = 0; i < InFlightPackets.MOST; i++) {
            fabric.step();
        }
        assertThat(fabric).hasToString("LossyFabric[t=0 ns, packetsUnderWay=4096]");
        fabric.step();
        assertThat(fabric).hasToString("LossyFabric[t=1000 ns, packetsUnderWay=4095]");
        devices.settle();
        assertThat(devices.atB.psns()).isEqualTo(IntStream.of(psns).boxed().toList());
    }

    @Test
    void copyThatIsOneTooManyIsLost() {
        int last = InFlightPackets.MOST / 2;
        fabric.decideBy((from, to, packet) -> packet.psn() == 0 ? Fate.DELIVER : Fate.DUPLICATE);
        devices.toB.sendPsns(IntStream.rangeClosed(0, last).toArray());
        devices.settle();
        assertThat(devices.atB.psns()).hasSize(InFlightPackets.MOST).endsWith(last - 1, last - 1, last);
    }

    @Test
    @Rule("QP-29")
    void whatIsSentWhileTheWayIsCutIsLostInBothDirectionsAndNobodyDecidesAboutIt() {
        List<Integer> decided = new ArrayList<>();
        fabric.decideBy((from, to, packet) -> {
            decided.add(packet.psn());
            return Fate.DELIVER;
        });
        fabric.cut(A, B);
        devices.toB.sendPsns(1);
        devices.toA.sendPsns(2);
        devices.settle();
        assertThat(decided).isEmpty();
        fabric.heal(B, A);
        devices.toB.sendPsns(3);
        devices.toA.sendPsns(4);
        devices.settle();
        assertThat(devices.atB.psns()).containsExactly(3);
        assertThat(devices.atA.psns()).containsExactly(4);
    }

    @Test
    void whatWouldArriveWhileTheWayIsCutIsLost() {
        devices.toB.sendPsns(1);
        fabric.passNanos(999);
        fabric.cut(B, A);
        fabric.passNanos(1);
        fabric.heal(A, B);
        devices.settle();
        assertThat(devices.atB.log()).isEmpty();
    }

    @Test
    void cutConcernsNoOtherWay() {
        Gid gid = Gid.ofGuid(0xc);
        PacketLog atC = new PacketLog();
        fabric.attach(gid, atC);
        PacketQueue toC = TwoDevices.queue(devices.a, gid);
        fabric.cut(A, gid);
        fabric.cut(A, B);
        fabric.heal(A, gid);
        toC.sendPsns(1);
        devices.toB.sendPsns(2);
        TwoDevices.queue(devices.a, A).sendPsns(3);
        devices.settle();
        assertThat(atC.psns()).containsExactly(1);
        assertThat(devices.atB.log()).isEmpty();
        assertThat(devices.atA.psns()).containsExactly(3);
    }

    @Test
    void healingWhatWasNotCutChangesNothing() {
        fabric.heal(A, B);
        devices.toB.sendPsns(1);
        devices.settle();
        assertThat(devices.atB.psns()).containsExactly(1);
    }

    @Test
    void packetUnderWayIsLostWhenItsReceiverBeginsANewLife() {
        devices.toB.sendPsns(1);
        fabric.passNanos(999);
        devices.b.close();
        PacketLog nextLife = new PacketLog();
        fabric.attach(B, nextLife);
        devices.settle();
        assertThat(nextLife.packets()).isEmpty();
        assertThat(devices.atB.log()).isEmpty();
    }

    @Test
    void packetUnderWayArrivesWhenItsSenderLeaves() {
        devices.toB.sendPsns(1);
        fabric.passNanos(999);
        devices.a.close();
        devices.settle();
        assertThat(devices.atB.log()).containsExactly("1@1000");
    }

    @Test
    void packetOfALifeThatLeftDoesNotComeOverALinkToTheNextOne() {
        List<Link> links = new ArrayList<>();
        Gid gid = Gid.ofGuid(0xc);
        FabricPort c = fabric.attach(gid, (link, packet) -> links.add(link));
        TwoDevices.queue(devices.a, gid).sendPsns(1);
        fabric.passNanos(999);
        devices.a.close();
        FabricPort nextLife = fabric.attach(A, new PacketLog());
        TwoDevices.queue(nextLife, gid).sendPsns(2);
        devices.settle();
        assertThat(links).hasSize(2);
        assertThat(links.get(0)).isNotSameAs(links.get(1));
        assertThat(links.get(1)).isSameAs(c.linkTo(A));
    }

    @Test
    void packetUnderWayIsLostWhenTheMachineOfItsSenderStops() {
        devices.toB.sendPsns(1);
        fabric.passNanos(999);
        fabric.kill(A);
        devices.settle();
        assertThat(devices.atB.log()).isEmpty();
    }

    @Test
    void whatIsToBeSentIsLostWhenTheMachineOfItsSenderStops() {
        devices.a.lane().call(() -> {
            devices.toB.add(PacketQueue.send(1)).ready();
            fabric.kill(A);
            devices.a.close();
        });
        devices.settle();
        assertThat(devices.atB.log()).isEmpty();
    }

    @Test
    void closingTheFabricLosesWhatIsUnderWay() {
        devices.toB.sendPsns(1);
        fabric.passNanos(999);
        fabric.close();
        assertThat(fabric.step()).isFalse();
        assertThat(devices.atB.log()).isEmpty();
    }

    /** Sends a packet that is not read before it is sent. */
    private void sendOnce(Gid peer, Consumer<Packet> filler) {
        devices.a.lane().call(() -> {
            Link link = devices.a.linkTo(peer);
            link.ready(new PacketSource() {
                private boolean sent;

                @Override
                public boolean pull(Packet packet) {
                    if (sent) {
                        return false;
                    }
                    filler.accept(packet);
                    sent = true;
                    return true;
                }

                @Override
                public Link link() {
                    return link;
                }
            });
        });
    }
}
