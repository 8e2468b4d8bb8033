// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Those who trust each other carry packets under TLS; nobody else gets a packet to a device, and both ends say why. */
@Timeout(600)
class TlsOverTcpTest {

    private static final String TRANSPORTS = "dev.verbatim.transport.netty.Pem#transports";
    private static final Tls SERVER_TLS = Pem.server();
    private static final NettyOptions SERVER = Pem.with(SERVER_TLS);
    private static final Tls CLIENT_TLS = Pem.client();
    private static final NettyOptions CLIENT = Pem.with(CLIENT_TLS);
    private static final Gid STRANGER = Gid.ofGuid(66);

    private static final List<PacketRecord> PACKETS = expected(0, 100, 4096);

    @AutoClose
    private LogLines log;

    @BeforeEach
    void listenToTheLog() {
        log = LogLines.open();
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void bothDirectionsSaturatedThroughTheSmallestSocketBuffersFinish(SocketTransport transport) {
        // On a busy machine each buffer waits for the probe of a closed window, 200 ms.
        int count = 24;
        try (Node server = Node.open(1, narrow(SERVER, transport));
                Node client = Node.open(2, narrow(CLIENT, transport))) {
            client.fabric.dial(server.listen());
            client.send(client.linkTo(server.gid), 0, count, 4096);
            server.send(server.linkTo(client.gid), 5, count, 1023);
            assertThat(server.inbox.await(count)).isEqualTo(expected(0, count, 4096));
            assertThat(client.inbox.await(count)).isEqualTo(expected(5, count, 1023));
        }
        assertThat(log.texts()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void brokenConnectionIsDialledAnewUnderTls(SocketTransport transport) throws IOException {
        NettyOptions secret = NettyOptions.defaults()
                .withSecret(SharedSecret.of(new byte[16]))
                .withTransport(transport);
        try (Node server = Node.open(1, secret.withTls(SERVER_TLS));
                Node client = Node.open(2, secret.withTls(CLIENT_TLS));
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink link = client.linkTo(server.gid);
            for (int cut = 0; cut < 3; cut++) {
                client.send(link, cut, 1, 8);
                assertThat(server.inbox.await(cut + 1)).isEqualTo(expected(0, cut + 1, 8));
                client.awaitAnotherConnection(link, relay::cut);
            }
        }
        assertThat(log.texts()).isEmpty();
    }

    @Test
    void largeWritesAndReadsOfDevicesArrive() {
        int lengthBytes = 1_000_000;
        try (NettyFabric near = NettyFabric.open(CLIENT);
                NettyFabric far = NettyFabric.open(SERVER);
                Verbatim left = Verbatim.over(near);
                Verbatim right = Verbatim.over(far)) {
            RcPeer user = RcPeer.open(left.open("left"), 2 * lengthBytes);
            RcPeer owner = RcPeer.open(right.open("right"), lengthBytes);
            near.dial(far.listen(Node.loopback(0)));
            RcConnection.connect(user.qp(), owner.qp());
            ByteBuffer mine = user.memory().buffer();
            for (int i = 0; i < lengthBytes; i++) {
                mine.put(i, (byte) (i * 31 >> 3));
            }
            user.qp().postSend(user.write(1, 0, lengthBytes, owner));
            user.qp()
                    .postSend(SendWorkRequest.read(
                            2, owner.address(0), owner.rkey(), user.sge(lengthBytes, lengthBytes)));
            assertThat(user.sent().awaitCompletion(Await.LIMIT)).isSuccess().hasId(1);
            assertThat(user.sent().awaitCompletion(Await.LIMIT)).isSuccess().hasId(2);
            assertThat(owner.memory().buffer().slice(0, lengthBytes)).isEqualTo(mine.slice(0, lengthBytes));
            assertThat(mine.slice(lengthBytes, lengthBytes)).isEqualTo(mine.slice(0, lengthBytes));
        }
        assertThat(log.texts()).isEmpty();
    }

    @Test
    void packetsThatComeTogetherWithADiallersHelloAreTakenIn() throws IOException {
        try (Node server = Node.open(1, SERVER);
                RawPeer raw = rawClient(server.listen())) {
            raw.say(RawPeer.together(RawPeer.hello(STRANGER, 7), PACKETS));
            assertThat(server.inbox.await(PACKETS.size())).isEqualTo(PACKETS);
        }
        assertThat(log.texts()).isEmpty();
    }

    @Test
    void packetsThatComeTogetherWithAnAcceptorsHelloAreTakenIn() throws IOException {
        try (Node client = Node.open(2, CLIENT);
                ServerSocket listener = RawPeer.listen()) {
            CompletableFuture<Gid> dialled = client.dialLater(listener);
            try (RawPeer raw = RawPeer.over(SERVER_TLS.accept(listener.accept()))) {
                raw.hear();
                raw.say(RawPeer.together(RawPeer.hello(STRANGER, 7), PACKETS));
                assertThat(client.inbox.await(PACKETS.size())).isEqualTo(PACKETS);
                assertThat(dialled.join()).isEqualTo(STRANGER);
            }
        }
        assertThat(log.texts()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void plainPeerAtATlsPortGetsNoPacketThrough(SocketTransport transport) throws IOException {
        try (Node server = Node.open(1, SERVER.withTransport(transport));
                Node plain = Node.open(2, NettyOptions.defaults().withTransport(transport))) {
            InetSocketAddress address = server.listen();
            assertRefused(Errno.EIO, "the other end", () -> plain.fabric.dial(address));
            awaitLine(server, "what came is not TLS; give both ends NettyOptions.withTls, or neither");
            try (RawPeer raw = RawPeer.dial(address)) {
                raw.sayIfItCan(RawPeer.together(RawPeer.hello(STRANGER, 7), PACKETS))
                        .awaitEnd();
            }
            assertThat(server.inbox.size()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void tlsPeerAtAPlainPortIsToldSo(SocketTransport transport) {
        try (Node plain = Node.open(1, NettyOptions.defaults().withTransport(transport));
                Node client = Node.open(2, CLIENT.withTransport(transport))) {
            InetSocketAddress address = plain.listen();
            assertRefused(Errno.EIO, "while TLS began; give both ends", () -> client.fabric.dial(address));
            awaitLine(plain, "the other end uses TLS and this one does not");
        }
    }

    @Test
    void tlsPeerAtAMutePortGivesUpInTime() throws IOException {
        NettyOptions hasty = CLIENT.withHelloTimeoutNanos(50_000_000L);
        try (ServerSocket mute = RawPeer.listen();
                Node client = Node.open(1, hasty)) {
            assertRefused(
                    Errno.ETIMEDOUT,
                    "helloTimeoutNanos=50000000",
                    () -> client.fabric.dial(Node.loopback(mute.getLocalPort())));
        }
    }

    @Test
    void silentStrangerAtATlsPortIsSentAwayInTime() throws IOException {
        try (Node server = Node.open(1, SERVER.withHelloTimeoutNanos(50_000_000L));
                RawPeer stranger = RawPeer.dial(server.listen())) {
            stranger.awaitEnd();
            awaitLine(server, "arrivedBytes=0 < 56 bytes of a hello within helloTimeoutNanos=50000000");
        }
    }

    @Test
    void halfAHandshakeIsSentAwayInTime() throws IOException {
        try (Node server = Node.open(1, SERVER.withHelloTimeoutNanos(50_000_000L));
                RawPeer stranger = RawPeer.dial(server.listen())) {
            stranger.say(new byte[] {22, 3, 1, 1, 0, 1}).awaitEnd();
            awaitLine(server, "arrivedBytes=0 < 56 bytes of a hello within helloTimeoutNanos=50000000");
        }
    }

    /** Two ends that do not accept each other, and what each says of it. */
    private enum Quarrel {
        CLIENT_TRUSTS_ANOTHER(
                "server.pem",
                "client.pem",
                "untrusted.pem",
                "signed by none of the trusted ones",
                "not accept this one"),
        CLIENT_IS_SIGNED_BY_ANOTHER(
                "server.pem",
                "stranger.pem",
                "trusted.pem",
                "not accept this one",
                "the dialing side has no certificate"),
        CLIENT_IS_SIGNED_BY_ANOTHER_OF_THAT_NAME(
                "server.pem",
                "impostor.pem",
                "trusted.pem",
                "not accept this one",
                "signed by none of the trusted ones"),
        SERVER_HAS_EXPIRED("expired.pem", "client.pem", "trusted.pem", "is not valid now", "not accept this one"),
        CLIENT_HAS_EXPIRED("server.pem", "expired.pem", "trusted.pem", "not accept this one", "is not valid now"),
        SERVER_IS_ANOTHER_HOST(
                "elsewhere.pem", "client.pem", "trusted.pem", "is not good for host=127.0.0.1", "not accept this one"),
        CLIENT_HAS_NO_CERTIFICATE(
                "server.pem", null, "trusted.pem", "not accept this one", "the dialing side has no certificate");

        private final Tls server;
        private final Tls client;
        private final String atTheDialler;
        private final String atTheAcceptor;

        Quarrel(String server, String client, String clientTrusts, String atTheDialler, String atTheAcceptor) {
            this.server = Tls.of(Pem.of(server), Pem.of("server.key"), Pem.TRUSTED);
            Path trusted = Pem.of(clientTrusts);
            Path key = Pem.of("expired.pem".equals(client) ? "server.key" : "client.key");
            this.client = client == null ? Tls.trusting(trusted) : Tls.of(Pem.of(client), key, trusted);
            this.atTheDialler = atTheDialler;
            this.atTheAcceptor = atTheAcceptor;
        }
    }

    @ParameterizedTest
    @EnumSource
    void thoseWhoDoNotAcceptEachOtherSaySoAndNoPacketGetsThrough(Quarrel quarrel) throws IOException {
        try (Node server = Node.open(1, Pem.with(quarrel.server));
                Node client = Node.open(2, Pem.with(quarrel.client))) {
            InetSocketAddress address = server.listen();
            assertRefused(Errno.EACCES, quarrel.atTheDialler, () -> client.fabric.dial(address));
            awaitLine(server, quarrel.atTheAcceptor);
            try (RawPeer raw = rawClient(quarrel.client, address)) {
                raw.sayIfItCan(RawPeer.together(RawPeer.hello(STRANGER, 7), PACKETS))
                        .awaitEnd();
            }
            assertThat(server.inbox.size()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void missingCertificateOfADiallerIsNoticed(SocketTransport transport) {
        try (Node server = Node.open(1, SERVER.withTransport(transport));
                Node client = Node.open(2, Pem.with(Tls.trusting(Pem.TRUSTED)).withTransport(transport))) {
            InetSocketAddress address = server.listen();
            assertRefused(Errno.EACCES, "not accept this one", () -> client.fabric.dial(address));
            awaitLine(server, "the dialing side has no certificate that one of the trusted ones signed");
        }
    }

    @Test
    void diallerWithoutACertificateIsLetInWhereNoneIsAskedFor() {
        assertPacketGoes(SERVER_TLS.withMutual(false), Tls.trusting(Pem.TRUSTED));
    }

    @Test
    void otherNameIsAcceptedWhereItIsTheExpectedOne() {
        Tls elsewhere = Tls.of(Pem.of("elsewhere.pem"), Pem.of("server.key"), Pem.TRUSTED);
        assertPacketGoes(elsewhere, CLIENT_TLS.withHost("elsewhere.example"));
    }

    @Test
    void damageUnderTlsEndsTheConnectionWithOneLine() throws IOException {
        try (Node server = Node.open(1, SERVER)) {
            Socket plain = new Socket("localhost", server.listen().getPort());
            try (RawPeer raw = RawPeer.over(CLIENT_TLS.dial(plain, Node.loopback(plain.getPort())))) {
                raw.say(RawPeer.hello(STRANGER, 7)).hear();
                plain.getOutputStream().write(new byte[] {23, 3, 3, 0, 32});
                plain.getOutputStream().write(new byte[32]);
                raw.awaitEnd();
                awaitLine(server, "TLS failed: ");
            }
            assertThat(server.inbox.size()).isZero();
        }
    }

    private static void assertPacketGoes(Tls serverTls, Tls clientTls) {
        try (Node server = Node.open(1, Pem.with(serverTls));
                Node client = Node.open(2, Pem.with(clientTls))) {
            client.fabric.dial(server.listen());
            client.send(server, 0, 1);
            assertThat(server.inbox.await(1)).isEqualTo(expected(0, 1, 8));
        }
    }

    private static RawPeer rawClient(InetSocketAddress address) throws IOException {
        return rawClient(CLIENT_TLS, address);
    }

    private static RawPeer rawClient(Tls tls, InetSocketAddress address) throws IOException {
        return RawPeer.over(tls.dial(new Socket(address.getAddress(), address.getPort()), address));
    }

    /** Waits for one line that says this, and sees that there is no other. */
    private void awaitLine(Node node, String words) {
        node.await("a line with " + words, () -> !log.records().isEmpty());
        assertThat(log.texts()).singleElement().asString().contains(words);
        assertThat(log.records().get(0).getThrown()).isNull();
    }

    private static NettyOptions narrow(NettyOptions options, SocketTransport transport) {
        return options.withTransport(transport).withSocketBufferBytes(4096);
    }
}
