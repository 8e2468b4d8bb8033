// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.MadListener;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import dev.verbatim.wire.mad.Rtu;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue pair 1 of a device that strangers reach, and what becomes of it when connections break. */
@Timeout(600)
class ManagementOverTcpTest {

    private static final long SHORT_NANOS = 50_000_000L;
    private static final long LONG_NANOS = 1_000_000_000L;
    private static final long NEVER_NANOS = 3_600_000_000_000L;
    private static final Gid STRANGER = Gid.ofGuid(66);
    private static final Octets MAD = new Rtu(1, 2, Octets.EMPTY).emit(7);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final MadListener heard = new MadListener();

    /** A device on a fabric of its own. */
    private final class End {

        final NettyFabric fabric;
        final Verbatim door;
        final Device device;
        final ManagementPort port;

        End(NettyOptions options) {
            fabric = NettyFabric.open(options);
            door = Verbatim.over(fabric).tap(new RecordingTap());
            device = door.open("device");
            port = ((ManagedDevice) device).managementPort();
            open.add(door);
        }

        InetSocketAddress listen() {
            return fabric.listen(Node.loopback(0));
        }

        void send(Gid destination, Octets mad) {
            port.lane().call(() -> assertThat(port.send(destination, mad)).isTrue());
        }
    }

    private End server;

    private void serve(long graceNanos) {
        server = new End(NettyOptions.defaults().withCarrierGraceNanos(graceNanos));
        server.port.agent(port -> heard);
    }

    @BeforeEach
    void serve() {
        serve(SHORT_NANOS);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static byte[] frame(Octets payload, int queueKey, int pkey, Opcode opcode) {
        Packet packet = new Packet().begin(opcode).destQp(1).pkey(pkey).migRequest(false);
        if (opcode.transport() == Opcode.UD_SEND_ONLY.transport()) {
            packet.queueKey(queueKey).sourceQp(1);
        }
        packet.payload().add(ByteBuffer.wrap(payload.toBytes()), 0, payload.lengthBytes());
        return RawPeer.frame(PacketRecord.of(packet));
    }

    private static byte[] frame(Octets mad) {
        return frame(mad, 0x8001_0000, 0xffff, Opcode.UD_SEND_ONLY);
    }

    private RawPeer stranger(Gid gid) throws IOException {
        RawPeer stranger = RawPeer.dial(server.listen());
        open.add(stranger);
        stranger.say(RawPeer.hello(gid, 7)).hear();
        return stranger;
    }

    @Test
    @Rule({"MAD-02", "MAD-05"})
    void whatStrangersSendWrongIsCountedAndChangesNothing() throws IOException {
        RawPeer stranger = stranger(STRANGER);
        Octets otherVersion = Octets.of(changed(MAD, 0, 2));
        stranger.say(frame(Octets.of(new byte[252])));
        stranger.say(frame(Octets.of(new byte[260])));
        stranger.say(frame(Octets.of(new byte[4096])));
        stranger.say(frame(Octets.EMPTY));
        stranger.say(frame(MAD, 0x8001_0001, 0xffff, Opcode.UD_SEND_ONLY));
        stranger.say(frame(MAD, 0x8001_0000, 0x1234, Opcode.UD_SEND_ONLY));
        stranger.say(frame(MAD, 0, 0xffff, Opcode.SEND_ONLY));
        stranger.say(frame(otherVersion));
        stranger.say(frame(Octets.of(changed(MAD, 3, 1))));
        stranger.say(frame(MAD));

        heard.await(() -> !heard.heard().isEmpty());
        assertThat(heard.heard()).containsExactly(STRANGER + " " + MAD);
        assertThat(server.port.dropped(ManagementDrop.LENGTH)).isEqualTo(4);
        assertThat(server.port.dropped(ManagementDrop.QUEUE_KEY)).isEqualTo(1);
        assertThat(server.port.dropped(ManagementDrop.PARTITION_KEY)).isEqualTo(1);
        assertThat(server.port.dropped(ManagementDrop.OPCODE)).isEqualTo(1);
        assertThat(server.port.dropped(ManagementDrop.VERSION)).isEqualTo(1);
        assertThat(server.port.dropped(ManagementDrop.METHOD)).isEqualTo(1);
        asserted();
    }

    private static byte[] changed(Octets mad, int at, int value) {
        byte[] bytes = mad.toBytes();
        bytes[at] = (byte) value;
        return bytes;
    }

    @Test
    @Rule("MAD-04")
    void strangerIsAnsweredAboutTheClassOverItsConnection() throws IOException {
        RawPeer stranger = stranger(STRANGER);
        Octets question = new Mad(new MadHeader(1, 7, 2, 1, 0, 0, 5, 1, 0), Octets.EMPTY).emit();
        PacketRecord answer = stranger.say(frame(question)).hearPacket();
        assertThat(answer.payload()).isEqualTo(Octets.of(changed(Octets.of(changed(question, 3, 0x81)), 5, 0x0c)));
        assertThat(answer.bth().destQp()).isEqualTo(1);
        asserted();
    }

    @Test
    @Rule("MAD-02")
    void strangersOfManyNamesLeaveNothingBehind() throws IOException {
        for (int i = 0; i < 20; i++) {
            Gid gid = Gid.ofGuid(1000 + i);
            RawPeer stranger = stranger(gid);
            stranger.say(frame(Octets.EMPTY)).say(frame(MAD));
            heard.await(() -> heard.heard().contains(gid + " " + MAD));
            server.send(gid, MAD);
            stranger.hangUp();
        }
        for (int i = 0; i < 20; i++) {
            Gid gid = Gid.ofGuid(1000 + i);
            heard.await(() -> heard.heard().contains("lost " + gid));
            server.port.lane().call(() -> assertThat(server.port.send(gid, MAD)).isFalse());
        }
        assertThat(server.port.dropped(ManagementDrop.NO_WAY)).isEqualTo(20);
        assertThat(heard.heard()).hasSize(40).doesNotHaveDuplicates();
        asserted();
    }

    @Test
    @Rule("MAD-07")
    void peerThatIsGoneIsToldWhenTheGraceIsOver() {
        End client = new End(NettyOptions.defaults());
        client.fabric.dial(server.listen());
        client.send(server.port.gid(), MAD);
        heard.await(() -> !heard.heard().isEmpty());
        client.door.close();
        heard.await(() -> heard.heard().size() > 1);
        assertThat(heard.heard()).containsExactly(client.port.gid() + " " + MAD, "lost " + client.port.gid());
        asserted();
    }

    @Test
    @Rule("MAD-07")
    void lastWordOfADeviceThatIsClosedArrives() {
        End client = new End(NettyOptions.defaults());
        MadListener leaver = new MadListener();
        client.port.agent(port -> leaver);
        client.fabric.dial(server.listen());
        leaver.lastWord(client.port, server.port.gid(), MAD);
        client.device.close();
        heard.await(() -> heard.heard().size() == 2);
        assertThat(heard.heard()).containsExactly(client.port.gid() + " " + MAD, "lost " + client.port.gid());
        asserted();
    }

    /** The grace would be over in an hour. */
    @Test
    void connectionThatComesBackInTimeIsNoLoss() throws IOException {
        serve(NEVER_NANOS);
        End client = new End(NettyOptions.defaults().withCarrierGraceNanos(NEVER_NANOS));
        MadListener atClient = new MadListener();
        client.port.agent(port -> atClient);
        try (Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            client.send(server.port.gid(), MAD);
            heard.await(() -> heard.heard().size() == 1);
            for (int cuts = 1; cuts <= 2; cuts++) {
                int joined = cuts + 1;
                relay.cut();
                heard.await(() -> relay.joined() == joined);
                int before = heard.heard().size();
                heard.await(() -> {
                    client.send(server.port.gid(), MAD);
                    return heard.heard().size() > before;
                });
            }
            atClient.await(() -> {
                server.send(client.port.gid(), MAD);
                return !atClient.heard().isEmpty();
            });
        }
        assertThat(heard.heard()).containsOnly(client.port.gid() + " " + MAD);
        assertThat(atClient.heard()).containsOnly(server.port.gid() + " " + MAD);
    }

    @Test
    @Rule("MAD-07")
    void otherLifeOfAPeerIsTheLossOfTheOneBeforeHoweverLongTheGrace() throws IOException {
        serve(NEVER_NANOS);
        RawPeer first = stranger(STRANGER);
        first.say(frame(MAD));
        heard.await(() -> heard.heard().size() == 1);
        first.hangUp();
        secondLife();
        assertThat(heard.heard()).containsExactly(STRANGER + " " + MAD, "lost " + STRANGER);
        asserted();
    }

    /** One who goes when the other is back is missed after it would have been. */
    @Test
    void peerThatCameBackIsNotMissedWhenTheGraceWouldHaveBeenOver() throws IOException {
        serve(LONG_NANOS);
        End client = new End(NettyOptions.defaults());
        try (Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            client.send(server.port.gid(), MAD);
            heard.await(() -> heard.heard().size() == 1);
            relay.cut();
            heard.await(() -> {
                client.send(server.port.gid(), MAD);
                return relay.joined() == 2 && heard.heard().size() > 1;
            });
            RawPeer stranger = stranger(STRANGER);
            stranger.say(frame(MAD));
            heard.await(() -> heard.heard().contains(STRANGER + " " + MAD));
            stranger.hangUp();
            heard.await(() -> heard.heard().contains("lost " + STRANGER));
        }
        assertThat(heard.heard()).containsOnly(client.port.gid() + " " + MAD, STRANGER + " " + MAD, "lost " + STRANGER);
    }

    @Test
    void otherLifeOfAPeerWithWhichNothingWasSpokenIsNoLoss() throws IOException {
        Side side = new Side(server.device, QpCapabilities.USUAL);
        RcConnection.USUAL.readyToReceive(side.qp, new RcConnection.Endpoint(STRANGER, 0x11, 0));
        stranger(STRANGER).hangUp();
        secondLife();
        RawPeer speaker = stranger(Gid.ofGuid(67));
        speaker.say(frame(MAD));
        speaker.hangUp();
        heard.await(() -> heard.heard().size() == 2);
        assertThat(heard.heard()).containsExactly(Gid.ofGuid(67) + " " + MAD, "lost " + Gid.ofGuid(67));
    }

    /** The stranger comes back as another, when it is no longer taken to be connected. */
    private void secondLife() {
        heard.await(() -> {
            try (RawPeer second = RawPeer.dial(server.listen())) {
                return second.say(RawPeer.hello(STRANGER, 8)).hear().verdict() == Verdict.WELCOME;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void peerWithWhichNothingWasSpokenIsNotMissed() throws IOException {
        RawPeer silent = stranger(STRANGER);
        RawPeer speaker = stranger(Gid.ofGuid(67));
        speaker.say(frame(MAD));
        heard.await(() -> heard.heard().size() == 1);
        silent.hangUp();
        speaker.hangUp();
        heard.await(() -> heard.heard().size() == 2);
        assertThat(heard.heard()).containsExactly(Gid.ofGuid(67) + " " + MAD, "lost " + Gid.ofGuid(67));
    }

    @Test
    @Rule("MAD-07")
    void withoutGraceALossIsToldAtOnce() throws IOException {
        serve(0);
        RawPeer stranger = stranger(STRANGER);
        stranger.say(frame(MAD));
        heard.await(() -> heard.heard().size() == 1);
        stranger.hangUp();
        heard.await(() -> heard.heard().size() == 2);
        assertThat(heard.heard()).endsWith("lost " + STRANGER);
        asserted();
    }
}
