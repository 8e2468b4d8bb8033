// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.PacketLog;
import dev.verbatim.testing.PacketQueue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a device may rely on, whatever carries its packets, as long as the carrier has no faults. */
public abstract class FabricContract {
    private Gid gidA;
    private Gid gidB;

    @AutoClose
    private Fabric fabric;

    private final PacketLog atA = new PacketLog();
    private final PacketLog atB = new PacketLog();
    private FabricPort a;
    private FabricPort b;

    /** A new fabric without devices. */
    protected abstract Fabric open();

    /** GID of a device of that number. */
    protected Gid gid(int number) {
        return Gid.ofGuid(number);
    }

    /** What a second device with the GID of another one is refused with. */
    protected Errno taken() {
        return Errno.EBUSY;
    }

    /** Lets everything happen that is under way. */
    protected abstract void settle(Fabric fabric);

    @BeforeEach
    void attachTwoDevices() {
        gidA = gid(0xa);
        gidB = gid(0xb);
        fabric = open();
        a = fabric.attach(gidA, atA);
        b = fabric.attach(gidB, atB);
    }

    @Test
    void packetArrivesAsItWasSentOverTheLinkThatLeadsBack() {
        byte[] bytes = {1, 2, 3, 4, 5};
        Packet packet =
                new Packet().begin(Opcode.RDMA_WRITE_ONLY).destQp(0x11).psn(7).remoteAddress(0x7f0000001000L);
        packet.payload().add(ByteBuffer.wrap(bytes), 0, bytes.length);
        PacketRecord sent = PacketRecord.of(packet);
        queueTo(a, gidB).send(sent);
        settle(fabric);
        assertThat(atB.packets()).containsExactly(sent);
        assertThat(atB.links()).containsExactly(linkOf(b, gidA));
        assertThat(atB.links().get(0).peer()).isEqualTo(gidA);
        assertThat(atA.packets()).isEmpty();
    }

    @Test
    void packetsOfOneSourceArriveInTheirOrder() {
        queueTo(a, gidB).sendPsns(1, 2, 3, 4, 5);
        settle(fabric);
        assertThat(atB.psns()).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void twoSourcesArePulledInTurn() {
        PacketQueue first = queueTo(a, gidB).add(PacketQueue.send(11), PacketQueue.send(12), PacketQueue.send(13));
        PacketQueue second = queueTo(a, gidB).add(PacketQueue.send(21), PacketQueue.send(22));
        a.lane().call(() -> {
            first.ready();
            second.ready();
        });
        settle(fabric);
        assertThat(atB.psns()).containsExactly(11, 21, 12, 22, 13);
    }

    @Test
    void sourceThatHadNothingMoreIsPulledAgainOnlyWhenItIsReady() {
        PacketQueue queue = queueTo(a, gidB);
        queue.sendPsns(1);
        settle(fabric);
        queue.add(PacketQueue.send(2));
        settle(fabric);
        assertThat(atB.psns()).containsExactly(1);
        queue.sendPsns(3);
        settle(fabric);
        assertThat(atB.psns()).containsExactly(1, 2, 3);
    }

    @Test
    void packetsOfASourceWithoutALinkAreLost() {
        PacketQueue queue = queueTo(a, gidB).add(PacketQueue.send(1));
        a.lane().call(() -> {
            queue.ready();
            queue.over(null);
        });
        settle(fabric);
        queue.over(linkOf(a, gidB)).sendPsns(2);
        settle(fabric);
        assertThat(atB.psns()).containsExactly(2);
    }

    @Test
    void deviceReachesItself() {
        queueTo(a, gidA).sendPsns(1);
        settle(fabric);
        assertThat(atA.psns()).containsExactly(1);
        assertThat(atA.links()).containsExactly(linkOf(a, gidA));
    }

    @Test
    @Rule("AE-11")
    void nothingPassesAPortWhoseCarrierIsAwayUntilItIsBack() {
        carry(b, false);
        carry(b, false);
        queueTo(a, gidB).sendPsns(1);
        queueTo(b, gidA).sendPsns(2);
        queueTo(b, gidB).sendPsns(3);
        settle(fabric);
        assertThat(atA.packets()).isEmpty();
        assertThat(atB.packets()).isEmpty();
        carry(b, true);
        carry(b, true);
        queueTo(a, gidB).sendPsns(4);
        queueTo(b, gidA).sendPsns(5);
        settle(fabric);
        assertThat(atA.psns()).containsExactly(5);
        assertThat(atB.psns()).containsExactly(4);
        assertThat(atB.carriers()).containsExactly(false, true);
        assertThat(atA.carriers()).isEmpty();
    }

    @Test
    void answerFromWithinReceiveDoesNotRecurse() {
        List<String> log = new ArrayList<>();
        Gid gid = gid(0xc);
        PacketQueue[] answers = new PacketQueue[1];
        FabricPort c = fabric.attach(gid, (link, packet) -> {
            log.add("begin " + packet.psn());
            answers[0].over(link).add(PacketQueue.send(packet.psn() + 100));
            answers[0].ready();
            assertThat(atA.packets()).isEmpty();
            log.add("end " + packet.psn());
        });
        answers[0] = new PacketQueue(c);
        queueTo(a, gid).sendPsns(1);
        settle(fabric);
        assertThat(log).containsExactly("begin 1", "end 1");
        assertThat(atA.psns()).containsExactly(101);
    }

    @Test
    void receivingRunsOnTheLaneOfThePort() {
        List<Boolean> onLane = new ArrayList<>();
        Gid gid = gid(0xc);
        FabricPort[] c = new FabricPort[1];
        c[0] = fabric.attach(gid, (link, packet) -> onLane.add(c[0].lane().isCurrent()));
        queueTo(a, gid).sendPsns(1);
        settle(fabric);
        assertThat(onLane).containsExactly(true);
    }

    @Test
    @Rule("KEY-07")
    void takenGidIsRefusedAndTheOldDeviceKeepsIt() {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> fabric.attach(gidB, new PacketLog()))
                .withMessageContaining(gidB.toString())
                .satisfies(e -> assertThat(e.errno()).isEqualTo(taken()));
        queueTo(a, gidB).sendPsns(1);
        settle(fabric);
        assertThat(atB.psns()).containsExactly(1);
    }

    @Test
    void closedFabricCarriesNothingAndRefusesDevicesWithEinval() {
        PacketQueue queue = queueTo(a, gidB);
        queue.sendPsns(1);
        settle(fabric);
        fabric.close();
        queue.sendPsns(2);
        settle(fabric);
        assertThat(atB.psns()).containsExactly(1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> fabric.attach(gid(0xc), new PacketLog()))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    @Rule("QP-29")
    void packetsToAndFromADeviceThatLeftAreLost() {
        PacketQueue toB = queueTo(a, gidB);
        PacketQueue toA = queueTo(b, gidA);
        b.close();
        toB.sendPsns(1);
        toA.sendPsns(2);
        settle(fabric);
        assertThat(atA.packets()).isEmpty();
        assertThat(atB.packets()).isEmpty();
    }

    @Test
    void whatWasAnnouncedBeforeAPortClosesIsSent() {
        PacketQueue one = queueTo(b, gidA).add(PacketQueue.send(1), PacketQueue.send(3));
        PacketQueue other = queueTo(b, gidA).add(PacketQueue.send(2), PacketQueue.send(4));
        b.lane().call(() -> {
            one.ready();
            other.ready();
            b.close();
        });
        settle(fabric);
        assertThat(atA.psns()).containsExactly(1, 2, 3, 4);
    }

    /** The thread that closes is the next one on the lane. */
    @Test
    void whatIsAnnouncedWhileAThreadWaitsToCloseThePortIsSent() throws InterruptedException {
        PacketQueue queue = queueTo(b, gidA).add(PacketQueue.send(1));
        Thread closer = new Thread(b::close, "closes");
        b.lane().call(() -> {
            closer.start();
            Await.state(closer, Thread.State.WAITING);
            queue.ready();
        });
        Await.end(closer);
        settle(fabric);
        assertThat(atA.psns()).containsExactly(1);
    }

    /** Its turns begin while that of another one is not over. */
    @Test
    void portThatIsClosedWhileAPacketArrivesSendsWhatWasAnnounced() {
        Gid gid = gid(0xc);
        List<Integer> arrived = new ArrayList<>();
        FabricPort c = fabric.attach(gid, (link, packet) -> {
            b.close();
            arrived.add(packet.psn());
        });
        PacketQueue toA = queueTo(b, gidA).add(PacketQueue.send(1));
        PacketQueue toC = queueTo(a, gid).add(PacketQueue.send(7));
        c.lane().call(() -> {
            toC.ready();
            toA.ready();
        });
        settle(fabric);
        assertThat(atA.psns()).containsExactly(1);
        assertThat(arrived).containsExactly(7);
    }

    @Test
    @Timeout(600)
    void sourceThatNeverEndsDoesNotKeepAPortFromClosing() {
        Link link = linkOf(b, gidA);
        PacketSource endless = new PacketSource() {
            @Override
            public boolean pull(Packet packet) {
                packet.begin(Opcode.SEND_ONLY).psn(1);
                return true;
            }

            @Override
            public Link link() {
                return link;
            }
        };
        b.lane().call(() -> {
            link.ready(endless);
            b.close();
        });
        assertThat(fabric.attach(gidB, new PacketLog()).gid()).isEqualTo(gidB);
    }

    @Test
    void leavingTwiceDoesNotDriveOutTheNextDeviceOfThatGid() {
        b.close();
        PacketLog next = new PacketLog();
        fabric.attach(gidB, next);
        b.close();
        queueTo(a, gidB).sendPsns(1);
        settle(fabric);
        assertThat(next.psns()).containsExactly(1);
    }

    @Test
    void linkToADeviceThatIsNotThereLosesPacketsUntilItIs() {
        Gid gid = gid(0xc);
        PacketQueue queue = queueTo(a, gid);
        queue.sendPsns(1);
        settle(fabric);
        PacketLog atC = new PacketLog();
        fabric.attach(gid, atC);
        queue.sendPsns(2);
        settle(fabric);
        assertThat(atC.psns()).containsExactly(2);
    }

    @Test
    void linkIsTheSameAsLongAsThePeerLivesAndAnotherToItsNextLife() {
        Link link = linkOf(a, gidB);
        assertThat(linkOf(a, gidB)).isSameAs(link);
        b.close();
        fabric.attach(gidB, new PacketLog());
        assertThat(linkOf(a, gidB)).isNotSameAs(link);
    }

    @Test
    void oldLinkDoesNotReachTheNextLifeOfThePeer() {
        PacketQueue toOldLife = queueTo(a, gidB);
        b.close();
        PacketLog next = new PacketLog();
        fabric.attach(gidB, next);
        toOldLife.sendPsns(1);
        settle(fabric);
        assertThat(next.packets()).isEmpty();
        queueTo(a, gidB).sendPsns(2);
        settle(fabric);
        assertThat(next.psns()).containsExactly(2);
    }

    @Test
    void nextLifeOfThePeerIsNotHeardOverALinkThatWasMadeToTheOldOne() {
        Link toOldLife = linkOf(a, gidB);
        b.close();
        queueTo(fabric.attach(gidB, new PacketLog()), gidA).sendPsns(1);
        settle(fabric);
        assertThat(atA.links()).doesNotContain(toOldLife).containsExactly(linkOf(a, gidB));
    }

    /** The link was made before there was a peer, and has heard one life of it, but never sent anything. */
    @Test
    void nextLifeOfThePeerIsNotHeardOverALinkThatOnlyHeardTheOldOne() {
        Gid gid = gid(0xc);
        Link toOldLife = linkOf(a, gid);
        FabricPort c = fabric.attach(gid, new PacketLog());
        queueTo(c, gidA).sendPsns(1);
        settle(fabric);
        c.close();
        queueTo(fabric.attach(gid, new PacketLog()), gidA).sendPsns(2);
        settle(fabric);
        assertThat(atA.psns()).containsExactly(1, 2);
        assertThat(atA.links().get(0)).isSameAs(toOldLife);
        assertThat(atA.links().get(1)).isNotSameAs(toOldLife);
    }

    @Test
    void devicesNextLifeDoesNotUseTheLinksOfItsOldOne() {
        PacketQueue queue = queueTo(b, gidA);
        b.close();
        fabric.attach(gidB, new PacketLog());
        queue.sendPsns(1);
        settle(fabric);
        assertThat(atA.packets()).isEmpty();
    }

    private static void carry(FabricPort port, boolean present) {
        port.lane().call(() -> port.setCarrier(present));
    }

    private static PacketQueue queueTo(FabricPort port, Gid peer) {
        return new PacketQueue(port).over(linkOf(port, peer));
    }

    private static Link linkOf(FabricPort port, Gid peer) {
        Link[] link = new Link[1];
        port.lane().call(() -> link[0] = port.linkTo(peer));
        return link[0];
    }
}
