// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dials of two devices with locating GIDs that cross: what waits is sent over the connection that stays, and nowhere else. */
@Timeout(600)
class LocatedCrossingTest {

    private static final long LIFE = 7;

    @Test
    @Rule("N-06")
    void whatWaitsIsSentOverTheConnectionOfTheLowerGid() throws Exception {
        try (Node node = Node.open(1, NettyOptions.defaults().withLocatingGids());
                ServerSocket server = RawPeer.listen()) {
            Gid peer = Locator.at(Locator.LOOPBACK, server.getLocalPort(), 5);
            Gid own = node.port.gid();
            assertThat(own).isLessThan(peer);
            InetSocketAddress place = new InetSocketAddress(own.toInetAddress(), Locator.PORT);
            node.send(node.linkTo(peer), 0, 1, 8);
            try (RawPeer ours = RawPeer.accept(server);
                    RawPeer theirs = RawPeer.dial(place)) {
                ours.hear();
                assertThat(theirs.say(RawPeer.hello(peer, LIFE)).hear().verdict())
                        .isEqualTo(Verdict.WELCOME);
                ours.say(RawPeer.hello(peer, LIFE));
                assertThat(ours.hearPacket())
                        .isEqualTo(NettyFabricTest.expected(0, 1, 8).get(0));
                theirs.awaitEnd();
            }
        }
    }

    @Test
    @Rule("AE-11")
    void dialThatIsWelcomedAtAPortThatIsDownMeanwhileOpensNoConnection() throws Exception {
        try (Node node = Node.open(1, NettyOptions.defaults().withLocatingGids());
                ServerSocket server = RawPeer.listen()) {
            Gid peer = Locator.at(Locator.LOOPBACK, server.getLocalPort(), 5);
            NettyLink link = node.linkTo(peer);
            node.send(link, 0, 1, 8);
            try (RawPeer ours = RawPeer.accept(server)) {
                ours.hear();
                node.port.lane().call(() -> node.port.setCarrier(false));
                ours.say(RawPeer.hello(peer, LIFE)).awaitEnd();
            }
            assertThat(link.isReliable()).isFalse();
            assertThat(node.inbox.carriers()).containsExactly(false);
        }
    }

    /** The peer has given way before this end hears that it is welcome, or the peer is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("AE-11")
    void connectionThatThePeerClosesForTheDialUnderWayIsNoEndOfTheCarrier(boolean isWelcome) throws Exception {
        try (Node node = Node.open(1, NettyOptions.defaults().withLocatingGids());
                ServerSocket server = RawPeer.listen()) {
            Gid peer = Locator.at(Locator.LOOPBACK, server.getLocalPort(), 5);
            InetSocketAddress place = new InetSocketAddress(node.port.gid().toInetAddress(), Locator.PORT);
            NettyLink link = node.linkTo(peer);
            node.send(link, 0, 1, 8);
            try (RawPeer ours = RawPeer.accept(server)) {
                try (RawPeer theirs = RawPeer.dial(place)) {
                    theirs.say(RawPeer.hello(peer, LIFE)).hear();
                    node.awaitReliable(link);
                }
                node.awaitUnreliable(link);
                assertThat(node.inbox.carriers()).isEmpty();
                ours.hear();
                if (isWelcome) {
                    ours.say(RawPeer.hello(peer, LIFE)).hearPacket();
                    assertThat(node.inbox.carriers()).isEmpty();
                }
            }
            Await.until("the end of the carrier", () -> !node.inbox.carriers().isEmpty());
            assertThat(node.inbox.carriers()).containsExactly(false);
        }
    }
}
