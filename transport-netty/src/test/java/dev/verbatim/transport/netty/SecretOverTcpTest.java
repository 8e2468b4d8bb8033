// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.LongTest;
import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Those who know one secret carry packets; nobody else gets a packet to a device or learns who is there. */
@Timeout(600)
class SecretOverTcpTest {

    private static final String TRANSPORTS = "dev.verbatim.transport.netty.Pem#transports";
    private static final SharedSecret SECRET = SharedSecret.of("the secret of this test".getBytes(UTF_8));
    private static final SharedSecret OTHER = SharedSecret.of("the secret of another one".getBytes(UTF_8));
    private static final Gid STRANGER = Gid.ofGuid(66);
    private static final List<PacketRecord> PACKETS = expected(0, 20, 64);

    @AutoClose
    private LogLines log;

    @BeforeEach
    void listenToTheLog() {
        log = LogLines.open();
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void thoseWhoKnowTheSecretAreConnectedAndAnewAfterACut(SocketTransport transport) throws IOException {
        try (Node server = Node.open(1, knowing(SECRET).withTransport(transport));
                Node client = Node.open(2, knowing(SECRET).withTransport(transport));
                Relay relay = Relay.to(server.listen())) {
            assertThat(client.fabric.dial(relay.address())).isEqualTo(server.gid);
            NettyLink link = client.linkTo(server.gid);
            client.send(link, 0, 500, 1023);
            server.send(server.linkTo(client.gid), 5, 500, 4096);
            assertThat(server.inbox.await(500)).isEqualTo(expected(0, 500, 1023));
            assertThat(client.inbox.await(500)).isEqualTo(expected(5, 500, 4096));
            client.awaitAnotherConnection(link, relay::cut);
            client.send(link, 500, 1, 1023);
            assertThat(server.inbox.await(501)).isEqualTo(expected(0, 501, 1023));
        }
        assertThat(log.texts()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void otherSecretIsRefusedAndBothEndsSaySo(SocketTransport transport) {
        try (Node server = Node.open(1, knowing(SECRET).withTransport(transport));
                Node client = Node.open(2, knowing(OTHER).withTransport(transport))) {
            InetSocketAddress address = server.listen();
            String words = "the dialler's shared secret is not that of the listener; give both the same";
            assertRefused(Errno.EACCES, words, () -> client.fabric.dial(address));
            assertOneLine(server, words);
        }
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void diallerWithoutASecretIsRefusedAndBothEndsSaySo(SocketTransport transport) {
        try (Node server = Node.open(1, knowing(SECRET).withTransport(transport));
                Node client = Node.open(2, NettyOptions.defaults().withTransport(transport))) {
            InetSocketAddress address = server.listen();
            assertRefused(
                    Errno.EACCES,
                    "the listener requires a shared secret and this end has none",
                    () -> client.fabric.dial(address));
            assertOneLine(server, "the dialing side is not authenticated by the shared secret");
        }
    }

    @ParameterizedTest
    @MethodSource(TRANSPORTS)
    void acceptorWithoutASecretIsRefusedAndBothEndsSaySo(SocketTransport transport) {
        try (Node server = Node.open(1, NettyOptions.defaults().withTransport(transport));
                Node client = Node.open(2, knowing(SECRET).withTransport(transport))) {
            InetSocketAddress address = server.listen();
            assertRefused(
                    Errno.EACCES,
                    "the listener has no shared secret and this end has one",
                    () -> client.fabric.dial(address));
            assertOneLine(server, "the dialing side has a shared secret and the listener has none");
        }
    }

    @Test
    void packetsBehindAHelloWithoutProofGetNowhere() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            raw.sayIfItCan(RawPeer.together(RawPeer.hello(STRANGER, 7), PACKETS))
                    .awaitEnd();
            assertOneLine(server, "is not authenticated");
        }
    }

    @Test
    void packetsBehindAWrongProofGetNowhere() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Proof wrong = challenged(raw, OTHER);
            Hello hello = RawPeer.hello(STRANGER, 7);
            raw.say(proven(hello, wrong.of(hello)));
            PACKETS.forEach(packet -> raw.sayIfItCan(RawPeer.frame(packet)));
            raw.awaitEnd();
            assertOneLine(server, "is not that of the listener");
        }
    }

    @Test
    void packetsBehindARightProofArrive() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Proof right = challenged(raw, SECRET);
            Hello hello = RawPeer.hello(STRANGER, 7);
            raw.say(proven(hello, right.of(hello)));
            for (PacketRecord packet : PACKETS) {
                raw.say(RawPeer.frame(packet));
            }
            assertThat(server.inbox.await(PACKETS.size())).isEqualTo(PACKETS);
            byte[] answer = raw.hearBytes(Hello.SIZE_BYTES + Proof.SIZE_BYTES);
            assertThat(right.isProven(Hello.read(ByteBuffer.wrap(answer)), ByteBuffer.wrap(answer), Hello.SIZE_BYTES))
                    .isTrue();
        }
        assertThat(log.texts()).isEmpty();
    }

    @Test
    void whatProvedOneConnectionDoesNotProveTheNext() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET))) {
            InetSocketAddress address = server.listen();
            Hello hello = RawPeer.hello(STRANGER, 7);
            byte[] transcript;
            try (RawPeer friend = RawPeer.dial(address)) {
                transcript = proven(hello, challenged(friend, SECRET).of(hello));
                friend.say(transcript).hearBytes(transcript.length);
            }
            try (RawPeer eavesdropper = RawPeer.dial(address)) {
                challenged(eavesdropper, SECRET);
                eavesdropper.say(transcript).awaitEnd();
            }
            assertOneLine(server, "is not that of the listener");
        }
    }

    @Test
    void whoSaysBackWhatADiallerSaidProvesNothing() throws IOException {
        try (Node client = Node.open(2, knowing(SECRET));
                ServerSocket listener = RawPeer.listen()) {
            CompletableFuture<Gid> dialled = client.dialLater(listener);
            try (RawPeer mirror = RawPeer.accept(listener)) {
                mirror.say(mirror.hearBytes(Challenge.SIZE_BYTES));
                mirror.say(mirror.hearBytes(Hello.SIZE_BYTES + Proof.SIZE_BYTES));
                mirror.awaitEnd();
            }
            assertRefused(
                    Errno.EACCES, "does not know the shared secret although it claims to", () -> outcome(dialled));
        }
    }

    @Test
    void acceptorWhoseHelloWasChangedOnTheWayIsNotBelieved() throws IOException {
        try (Node client = Node.open(2, knowing(SECRET));
                ServerSocket listener = RawPeer.listen()) {
            CompletableFuture<Gid> dialled = client.dialLater(listener);
            try (RawPeer raw = RawPeer.accept(listener)) {
                Proof proof = new Proof(SECRET, false, new Challenge(Verdict.WELCOME, 1, 2));
                proof.meet(Challenge.read(ByteBuffer.wrap(raw.hearBytes(Challenge.SIZE_BYTES))));
                raw.say(bytes(proof.mine()));
                byte[] theirs = raw.hearBytes(Hello.SIZE_BYTES + Proof.SIZE_BYTES);
                assertThat(proof.isProven(
                                Hello.read(ByteBuffer.wrap(theirs)), ByteBuffer.wrap(theirs), Hello.SIZE_BYTES))
                        .isTrue();
                byte[] answer = proven(RawPeer.hello(STRANGER, 7), proof.of(RawPeer.hello(STRANGER, 8)));
                raw.say(answer).awaitEnd();
            }
            assertRefused(
                    Errno.EACCES, "does not know the shared secret although it claims to", () -> outcome(dialled));
        }
    }

    /** Of the flags, the longest packet, the GID, the incarnation and the ticket. */
    @ParameterizedTest
    @ValueSource(ints = {15, 18, 39, 47, 55})
    void helloThatWasChangedOnTheWayIsRefused(int at) throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Hello hello = RawPeer.hello(STRANGER, 6);
            byte[] bytes = proven(hello, challenged(raw, SECRET).of(hello));
            bytes[at] ^= 1;
            if (at == 18) {
                bytes[at] |= 0x20;
            }
            raw.say(bytes).awaitEnd();
            assertOneLine(server, "is not that of the listener");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 56, 87})
    void hangingUpBeforeTheProofIsWhole(int arrivedBytes) throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Hello hello = RawPeer.hello(STRANGER, 7);
            byte[] bytes = proven(hello, challenged(raw, SECRET).of(hello));
            raw.say(RawPeer.firstOf(bytes, arrivedBytes)).hangUp();
            assertOneLine(server, "closed it after " + arrivedBytes + " bytes of its hello");
        }
    }

    @Test
    @LongTest
    void proofThatDoesNotComeWholeIsSentAwayInTime() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET).withHelloTimeoutNanos(2_000_000_000L));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Hello hello = RawPeer.hello(STRANGER, 7);
            byte[] bytes = proven(hello, challenged(raw, SECRET).of(hello));
            raw.say(RawPeer.firstOf(bytes, 87)).awaitEnd();
            assertOneLine(server, "arrivedBytes=87 < 88 bytes of a hello");
        }
    }

    @Test
    void strangerLearnsANonceAndNothingElse() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET).withRandomness(() -> 42));
                RawPeer raw = RawPeer.dial(server.listen())) {
            Proof wrong = challenged(raw, OTHER);
            Hello hello = RawPeer.hello(STRANGER, 7);
            raw.say(proven(hello, wrong.of(hello)));
            assertThat(raw.hearBytes(Challenge.SIZE_BYTES)).isEqualTo(bytes(new Challenge(Verdict.OTHER_SECRET, 0, 0)));
            raw.awaitEnd();
            assertOneLine(server, "is not that of the listener");
        }
    }

    @Test
    void secondChallengeEndsTheConnection() throws IOException {
        try (Node server = Node.open(1, knowing(SECRET));
                RawPeer raw = RawPeer.dial(server.listen())) {
            challenged(raw, SECRET);
            raw.say(bytes(new Challenge(Verdict.WELCOME, 1, 1))).awaitEnd();
            assertOneLine(server, "a second challenge came");
        }
    }

    @Test
    void challengesDifferFromOneConnectionToTheNext() throws IOException {
        AtomicLong drawn = new AtomicLong();
        try (Node server = Node.open(1, knowing(SECRET).withRandomness(drawn::incrementAndGet))) {
            InetSocketAddress address = server.listen();
            assertThat(challengeOf(address)).isNotEqualTo(challengeOf(address));
            server.await("two lines", () -> log.records().size() == 2);
        }
    }

    @Test
    void shortSecretIsRefused() {
        assertThatThrownBy(() -> SharedSecret.of(new byte[15]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("secretBytes=15 < 16");
    }

    private static Gid outcome(CompletableFuture<Gid> dialled) throws Throwable {
        try {
            return dialled.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static Challenge challengeOf(InetSocketAddress address) throws IOException {
        try (RawPeer raw = RawPeer.dial(address)) {
            raw.say(bytes(new Challenge(Verdict.WELCOME, 1, 2)));
            return Challenge.read(ByteBuffer.wrap(raw.hearBytes(Challenge.SIZE_BYTES)));
        }
    }

    /** Says a challenge, hears that of who listens, and can prove now that it knows a secret. */
    private static Proof challenged(RawPeer raw, SharedSecret secret) throws IOException {
        Proof proof = new Proof(secret, true, new Challenge(Verdict.WELCOME, 1, 2));
        raw.say(bytes(proof.mine()));
        proof.meet(Challenge.read(ByteBuffer.wrap(raw.hearBytes(Challenge.SIZE_BYTES))));
        return proof;
    }

    private static byte[] bytes(Challenge challenge) {
        ByteBuffer bytes = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        challenge.write(bytes);
        return bytes.array();
    }

    private static byte[] proven(Hello hello, byte[] proof) {
        byte[] bytes = Arrays.copyOf(RawPeer.bytes(hello), Hello.SIZE_BYTES + Proof.SIZE_BYTES);
        System.arraycopy(proof, 0, bytes, Hello.SIZE_BYTES, Proof.SIZE_BYTES);
        return bytes;
    }

    /** Waits for one line that says this, and sees that no packet of a stranger has come through. */
    private void assertOneLine(Node node, String words) {
        node.await("a line with " + words, () -> !log.records().isEmpty());
        assertThat(log.texts()).singleElement().asString().contains(words);
        assertThat(log.records().get(0).getThrown()).isNull();
        assertThat(node.inbox.size()).isZero();
    }

    private static NettyOptions knowing(SharedSecret secret) {
        return NettyOptions.defaults().withSecret(secret);
    }
}
