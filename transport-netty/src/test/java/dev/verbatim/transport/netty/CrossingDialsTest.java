// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two ends, one connection, whoever dials, in whatever order the hellos come. */
@Timeout(600)
class CrossingDialsTest {

    private static final Gid PEER = Gid.ofGuid(20);
    private static final long LIFE = 7;

    @Test
    void bothWelcomedAndOurGidLowerKeepsTheOneThatWeDialled() throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen()) {
            InetSocketAddress address = node.listen();
            CompletableFuture<Gid> dial = dial(node, server);
            try (RawPeer ours = RawPeer.accept(server);
                    RawPeer theirs = RawPeer.dial(address)) {
                ours.hear();
                assertThat(theirs.say(RawPeer.hello(PEER, LIFE)).hear().verdict())
                        .isEqualTo(Verdict.WELCOME);
                ours.say(RawPeer.hello(PEER, LIFE));
                assertThat(dial.get()).isEqualTo(PEER);
                theirs.awaitEnd();
                node.send(node.linkTo(PEER), 0, 1, 8);
                assertThat(ours.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
            }
        }
    }

    @Test
    void bothWelcomedAndOurGidHigherKeepsTheOneThatTheyDialled() throws Exception {
        try (Node node = Node.open(30);
                ServerSocket server = RawPeer.listen()) {
            InetSocketAddress address = node.listen();
            CompletableFuture<Gid> dial = dial(node, server);
            try (RawPeer ours = RawPeer.accept(server);
                    RawPeer theirs = RawPeer.dial(address)) {
                ours.hear();
                assertThat(theirs.say(RawPeer.hello(PEER, LIFE)).hear().verdict())
                        .isEqualTo(Verdict.WELCOME);
                ours.say(RawPeer.hello(PEER, LIFE));
                assertThat(dial.get()).isEqualTo(PEER);
                ours.awaitEnd();
                node.send(node.linkTo(PEER), 0, 1, 8);
                assertThat(theirs.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
            }
        }
    }

    @Test
    void connectionThatWeDialledStandsAgainstOneThatTheyDialEvenWithItsTicket() throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen()) {
            InetSocketAddress address = node.listen();
            CompletableFuture<Gid> dial = dial(node, server);
            try (RawPeer ours = RawPeer.accept(server);
                    RawPeer theirs = RawPeer.dial(address)) {
                Hello welcome = new Hello(Verdict.WELCOME, false, TransportLimits.LARGEST_PACKET_BYTES, PEER, LIFE, 99);
                ours.hear();
                ours.say(welcome);
                dial.get();
                assertThat(theirs.say(welcome).hear().verdict()).isEqualTo(Verdict.ALREADY_CONNECTED);
                theirs.awaitEnd();
                node.send(node.linkTo(PEER), 0, 1, 8);
                assertThat(ours.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
            }
        }
    }

    @Test
    void dialThatMeetsAConnectionOfThePeersDialUsesThat() throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen();
                RawPeer theirs = RawPeer.dial(node.listen())) {
            theirs.say(RawPeer.hello(PEER, LIFE)).hear();
            CompletableFuture<Gid> dial = dial(node, server);
            try (RawPeer ours = RawPeer.accept(server)) {
                ours.hear();
                ours.say(answer(Verdict.ALREADY_CONNECTED, LIFE));
                assertThat(dial.get()).isEqualTo(PEER);
                node.send(node.linkTo(PEER), 0, 1, 8);
                assertThat(theirs.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
            }
        }
    }

    @Test
    void dialIsTriedAnewWhileThePeerBelievesInAnOldConnection() throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen()) {
            CompletableFuture<Gid> dial = dial(node, server);
            for (Verdict verdict : new Verdict[] {Verdict.OTHER_LIFE_CONNECTED, Verdict.ALREADY_CONNECTED}) {
                try (RawPeer refusing = RawPeer.accept(server)) {
                    refusing.hear();
                    refusing.say(answer(verdict, LIFE));
                }
            }
            try (RawPeer welcoming = RawPeer.accept(server)) {
                welcoming.hear();
                welcoming.say(answer(Verdict.WELCOME, LIFE));
                assertThat(dial.get()).isEqualTo(PEER);
            }
        }
    }

    @Test
    void welcomeOfAnotherLifeDoesNotDisplaceTheConnectionThatStands() throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen();
                RawPeer theirs = RawPeer.dial(node.listen())) {
            theirs.say(RawPeer.hello(PEER, LIFE)).hear();
            CompletableFuture<Gid> dial = dial(node, server);
            for (int i = 0; i < TransportLimits.MOST_SHORT_TRIES; i++) {
                try (RawPeer ours = RawPeer.accept(server)) {
                    ours.hear();
                    ours.say(answer(Verdict.WELCOME, LIFE + 1)).awaitEnd();
                }
            }
            assertThat(dial.handle((gid, failure) -> failure).get())
                    .isInstanceOf(Exception.class)
                    .hasMessageContaining("another device of gid=" + PEER + " is connected already");
            node.send(node.linkTo(PEER), 0, 1, 8);
            assertThat(theirs.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
        }
    }

    /** The peer has given way before this end hears that it is welcome; or the peer is gone. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @Rule("AE-11")
    void connectionThatThePeerClosesForTheDialUnderWayIsNoEndOfTheCarrier(boolean isWelcome, boolean isWanted)
            throws Exception {
        try (Node node = Node.open(10);
                ServerSocket server = RawPeer.listen()) {
            InetSocketAddress address = node.listen();
            CompletableFuture<Gid> dial = dial(node, server);
            try (RawPeer ours = RawPeer.accept(server)) {
                ours.hear();
                AtomicReference<NettyLink> link = new AtomicReference<>();
                try (RawPeer theirs = RawPeer.dial(address)) {
                    theirs.say(RawPeer.hello(PEER, LIFE)).hear();
                    node.await(
                            "their link", () -> ((NettyPort) node.port).links().at(PEER) != null);
                    node.port
                            .lane()
                            .call(() -> link.set(((NettyPort) node.port).links().at(PEER)));
                    if (isWanted) {
                        assertThat(node.linkTo(PEER)).isSameAs(link.get());
                    }
                }
                node.awaitUnreliable(link.get());
                assertThat(node.inbox.carriers()).isEmpty();
                if (isWelcome) {
                    ours.say(RawPeer.hello(PEER, LIFE));
                    assertThat(dial.get()).isEqualTo(PEER);
                    assertThat(node.inbox.carriers()).isEmpty();
                    node.send(node.linkTo(PEER), 0, 1, 8);
                    assertThat(ours.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
                }
            }
            Await.until("the end of the carrier", () -> !node.inbox.carriers().isEmpty());
            assertThat(node.inbox.carriers()).containsExactly(false);
        }
    }

    @Test
    void ticketOfTheLastConnectionLetsItsDiallerReplaceIt() throws IOException {
        try (Node node = Node.open(10)) {
            InetSocketAddress address = node.listen();
            try (RawPeer first = RawPeer.dial(address);
                    RawPeer second = RawPeer.dial(address)) {
                Hello welcome = first.say(RawPeer.hello(PEER, LIFE)).hear();
                assertThat(welcome.ticket()).isNotZero();
                Hello again = new Hello(
                        Verdict.WELCOME, false, TransportLimits.LARGEST_PACKET_BYTES, PEER, LIFE, welcome.ticket());
                assertThat(second.say(again).hear().verdict()).isEqualTo(Verdict.WELCOME);
                first.awaitEnd();
                node.send(node.linkTo(PEER), 0, 1, 8);
                assertThat(second.hearPacket()).isEqualTo(expected(0, 1, 8).get(0));
            }
        }
    }

    @Test
    void dialThatReachesItselfSaysSo() {
        try (LogLines log = LogLines.open();
                Node node = Node.open(10)) {
            InetSocketAddress address = node.listen();
            assertRefused(Errno.EINVAL, "this end's own", () -> node.fabric.dial(address));
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void dialsAtTheSameTimeEndInOneConnection() throws ExecutionException, InterruptedException {
        for (int round = 0; round < 30; round++) {
            try (Node one = Node.open(1);
                    Node other = Node.open(2)) {
                InetSocketAddress toOne = one.listen();
                InetSocketAddress toOther = other.listen();
                CompletableFuture<Gid> back = CompletableFuture.supplyAsync(() -> other.fabric.dial(toOne));
                assertThat(one.fabric.dial(toOther)).isEqualTo(other.gid);
                assertThat(back.get()).isEqualTo(one.gid);
                one.send(other, 0, 1);
                other.send(one, 0, 1);
                assertThat(other.inbox.await(1)).isEqualTo(expected(0, 1, 8));
                assertThat(one.inbox.await(1)).isEqualTo(expected(0, 1, 8));
            }
        }
    }

    private static Hello answer(Verdict verdict, long life) {
        return new Hello(verdict, false, TransportLimits.LARGEST_PACKET_BYTES, PEER, life, 0);
    }

    private static CompletableFuture<Gid> dial(Node node, ServerSocket server) {
        return CompletableFuture.supplyAsync(() -> node.fabric.dial(Node.loopback(server.getLocalPort())));
    }
}
