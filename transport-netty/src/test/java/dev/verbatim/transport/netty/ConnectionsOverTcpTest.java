// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.mad.CmAttribute;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections among strangers who send whatever they like, and with peers who die: each loses his own and nothing else. */
@Timeout(600)
class ConnectionsOverTcpTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;
    private static final Gid STRANGER = Gid.ofGuid(66);
    private static final int BACKLOG = 16;
    private static final int MOST_HALF_OPEN = 24;
    private static final int REQUESTS = 5_000;
    private static final int NONSENSE = 3_000;
    private static final int SEED = 1;

    /** TIMEWAIT is short. */
    private static final CmOptions OPTIONS =
            CmOptions.USUAL.withPacketLifeTime(13).withMostHalfOpen(MOST_HALF_OPEN);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final RecordingTap tap = new RecordingTap();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** A device on a fabric of its own. */
    private final class End {
        final Side side;
        final EventChannel channel;

        End() {
            NettyOptions options = NettyOptions.defaults().withCarrierGraceNanos(50_000_000);
            Verbatim door = Verbatim.over(NettyFabric.open(options)).tap(tap);
            open.add(door);
            side = new Side(door.open("device"), QpCapabilities.USUAL);
            channel = EventChannel.open(side.device, OPTIONS);
        }

        Gid gid() {
            return side.device.gid();
        }

        CmId listen() {
            CmId listener = channel.createId();
            listener.bindAddress(Node.loopback(0));
            listener.listen(BACKLOG);
            return listener;
        }

        QueuePair createQp(CmId id) {
            return id.createQp(side.pd, QpInitAttributes.rc(side.sendCq, side.recvCq, QpCapabilities.USUAL));
        }

        CmEvent expect(CmEventType type) {
            CmEvent event = channel.getEvent(Await.LIMIT);
            assertThat(event.type()).as("%s", event).isEqualTo(type);
            event.acknowledge();
            return event;
        }

        /** The next event that is not about a connection that is over anyway. */
        CmEvent next() {
            CmEvent event = channel.getEvent(Await.LIMIT);
            event.acknowledge();
            return event.type() == CmEventType.TIMEWAIT_EXIT ? next() : event;
        }

        CmId connecting(InetSocketAddress there) {
            CmId id = channel.createId();
            id.resolveAddress(there, Await.LIMIT);
            expect(CmEventType.ADDR_RESOLVED);
            createQp(id);
            id.resolveRoute(Await.LIMIT);
            expect(CmEventType.ROUTE_RESOLVED);
            id.connect(USUAL);
            return id;
        }
    }

    private static InetSocketAddress address(CmId listener) {
        InetSocketAddress address = listener.localAddress();
        assertThat(address).isNotNull();
        return address;
    }

    private static QueuePair qp(CmId id) {
        QueuePair qp = id.qp();
        assertThat(qp).isNotNull();
        return qp;
    }

    /** Both ends, the client's first. */
    private static CmId[] connected(End client, End server, CmId listener) {
        CmId asking = client.connecting(address(listener));
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(asked);
        asked.accept(USUAL);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        return new CmId[] {asking, asked};
    }

    private static void assertCarries(End client, End server, CmId[] ends) {
        qp(ends[1]).postRecv(ReceiveWorkRequest.of(1, server.side.sge(0, 64)));
        qp(ends[0]).postSend(SendWorkRequest.send(2, client.side.sge(0, 64)));
        Outcomes.assertThat(client.side.sent()).isSuccess();
        Outcomes.assertThat(server.side.received()).isSuccess().hasByteLength(64);
    }

    private RawPeer stranger(InetSocketAddress there) throws IOException {
        RawPeer stranger = RawPeer.dial(there);
        open.add(stranger);
        stranger.say(RawPeer.hello(STRANGER, 7)).hear();
        return stranger;
    }

    private static byte[] frame(Octets mad) {
        Packet packet = new Packet()
                .begin(Opcode.UD_SEND_ONLY)
                .destQp(1)
                .migRequest(false)
                .queueKey(0x8001_0000)
                .sourceQp(1);
        packet.payload().add(ByteBuffer.wrap(mad.toBytes()), 0, mad.lengthBytes());
        return RawPeer.frame(PacketRecord.of(packet));
    }

    /** A request of the stranger with which nothing is wrong. */
    private static Req request(Gid to, int port, int number) {
        Path path = new Path(0xffff, 0xffff, STRANGER, to, 0, 0, 64, 0, 0, false, 14);
        return Req.builder()
                .localId(number)
                .serviceId(0x0106_0000L + port)
                .localCaGuid(66)
                .localQpn(0x100 + number)
                .startingPsn(number)
                .remoteResponseTimeout(13)
                .localResponseTimeout(13)
                .partitionKey(0xffff)
                .pathMtu(3)
                .maxCmRetries(15)
                .primary(path)
                .alternate(Path.NONE)
                .privateData(IpHeader.of(1000, STRANGER, to).emit(Octets.EMPTY))
                .build();
    }

    @Test
    @Rule({"CM-17", "CM-24"})
    void strangerWithThousandsOfRequestsGetsAsManyAsThereIsRoomForAndFriendsStillConnect() throws IOException {
        End server = new End();
        End client = new End();
        CmId listener = server.listen();
        CmId[] ends = connected(client, server, listener);
        RawPeer stranger = stranger(address(listener));
        int port = address(listener).getPort();
        for (int number = 1; number <= REQUESTS; number++) {
            stranger.say(frame(request(server.gid(), port, number).emit(number)));
        }
        assertCarries(client, server, ends);
        // The application fetches some, which the stranger will never confirm, and leaves them open.
        List<CmId> halfOpen = new ArrayList<>();
        for (int i = 0; i < BACKLOG; i++) {
            halfOpen.add(server.expect(CmEventType.CONNECT_REQUEST).id());
        }
        for (int number = REQUESTS + 1; number <= 2 * REQUESTS; number++) {
            stranger.say(frame(request(server.gid(), port, number).emit(number)));
        }
        Mad last = Mad.parse(new Dreq(1, 2, 3, Octets.EMPTY).emit(99));
        stranger.say(frame(last.emit()));
        while (Mad.parse(stranger.hearPacket().payload()).header().transactionId() != 99) {
            continue;
        }
        while (server.channel.hasEvent()) {
            halfOpen.add(server.expect(CmEventType.CONNECT_REQUEST).id());
        }
        assertThat(halfOpen).hasSize(MOST_HALF_OPEN);
        for (CmId each : halfOpen) {
            each.close();
        }
        CmId[] others = connected(client, server, listener);
        assertCarries(client, server, others);
        stranger.hangUp();
        assertCarries(client, server, ends);
        assertThat(server.channel.hasEvent()).isFalse();
        asserted();
    }

    @Test
    @Rule({"CM-08", "CM-09"})
    void nonsenseOfAStrangerTouchesNoConnectionButHisOwn() throws IOException {
        End server = new End();
        End client = new End();
        CmId listener = server.listen();
        CmId[] ends = connected(client, server, listener);
        RawPeer stranger = stranger(address(listener));
        // He has even learnt the numbers of the connection.
        Rep rep = said(Rep.class);
        int mine = rep.remoteId();
        int yours = rep.localId();
        for (CmMessage message : List.of(
                new Rtu(mine, yours, Octets.EMPTY),
                new Rej(mine, yours, Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY),
                new Mra(mine, yours, Mra.MESSAGE_REP, 31, Octets.EMPTY),
                new Dreq(mine, yours, rep.localQpn(), Octets.EMPTY))) {
            stranger.say(frame(message.emit(1)));
        }
        Random random = new Random(SEED);
        byte[] body = new byte[Mad.BODY_BYTES];
        for (int i = 0; i < NONSENSE; i++) {
            random.nextBytes(body);
            CmAttribute attribute = CmAttribute.values()[random.nextInt(CmAttribute.values().length)];
            int number = random.nextInt(8) == 0 ? random.nextInt(1 << 16) : attribute.number();
            MadHeader header = new MadHeader(1, 7, 2, 3, 0, 0, random.nextLong(), number, 0);
            stranger.say(frame(new Mad(header, Octets.of(body)).emit()));
        }
        // A request that is his own.
        stranger.say(frame(request(server.gid(), address(listener).getPort(), 5).emit(5)));
        CmId his = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(his);
        his.accept(USUAL);
        // What is no message of any kind costs him his connection.
        stranger.say(RawPeer.frame(new byte[] {1, 2, 3}));
        stranger.awaitEnd();
        CmEvent lost = server.expect(CmEventType.UNREACHABLE);
        assertThat(lost.id()).isSameAs(his);
        assertThat(lost.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        assertCarries(client, server, ends);
        assertThat(server.channel.hasEvent()).isFalse();
        assertThat(client.channel.hasEvent()).isFalse();
        ends[0].disconnect();
        server.expect(CmEventType.DISCONNECTED);
        ends[1].disconnect();
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isZero();
        asserted();
    }

    /** The last message of that kind that a device sent. */
    private <M extends CmMessage> M said(Class<M> kind) {
        List<M> said = new ArrayList<>();
        for (PacketSent sent : tap.events(PacketSent.class)) {
            if (sent.qp() == 1) {
                CmMessage message = CmMessage.parse(Mad.parse(sent.packet().payload()));
                if (kind.isInstance(message)) {
                    said.add(kind.cast(message));
                }
            }
        }
        assertThat(said).isNotEmpty();
        return said.get(said.size() - 1);
    }

    @Test
    @Rule({"CM-07", "CM-15"})
    void killedProcessIsTheEndOfItsConnectionsAndOfThoseThatItDidNotAnswer() throws Exception {
        End survivor = new End();
        CmId standing;
        CmId waiting;
        InetSocketAddress there;
        try (ListeningProcess victim = ListeningProcess.start()) {
            there = victim.address();
            standing = survivor.connecting(there);
            survivor.expect(CmEventType.ESTABLISHED);
            assertThat(victim.hear()).isEqualTo("RTS");
            waiting = survivor.connecting(there);
            assertThat(victim.hear()).isEqualTo("asked");
            victim.kill();
        }
        List<CmEvent> ends = new ArrayList<>();
        ends.add(survivor.next());
        ends.add(survivor.next());
        assertThat(ends).extracting(CmEvent::status).containsOnly(-Errno.ETIMEDOUT.number());
        assertThat(ends)
                .extracting(event -> (Object) event.id(), CmEvent::type)
                .containsExactlyInAnyOrder(
                        tuple(standing, CmEventType.DISCONNECTED), tuple(waiting, CmEventType.UNREACHABLE));
        assertState(qp(standing), QpState.ERR);
        CmId again = survivor.channel.createId();
        again.resolveAddress(there, Await.LIMIT);
        CmEvent nobody = survivor.next();
        assertThat(nobody.type()).isEqualTo(CmEventType.ADDR_ERROR);
        assertThat(nobody.status()).isEqualTo(-Errno.ECONNREFUSED.number());
        for (CmId id : List.of(standing, waiting, again)) {
            id.destroyQp();
            id.close();
        }
        survivor.channel.close();
    }
}
