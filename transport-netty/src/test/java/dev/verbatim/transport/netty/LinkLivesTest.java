// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Link;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Pause;
import dev.verbatim.transport.netty.link.NettyLink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link outlasts its connections, but not its peer. */
@Timeout(600)
class LinkLivesTest {

    @Test
    void brokenConnectionIsDialledAnewAndTheLinkGoesOn() throws IOException {
        try (Node server = Node.open(1);
                Node client = Node.open(2);
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink there = client.linkTo(server.gid);
            NettyLink back = server.linkTo(client.gid);
            for (int cuts = 0; cuts < 3; cuts++) {
                server.awaitAnotherConnection(back, () -> client.awaitAnotherConnection(there, relay::cut));
                client.send(there, cuts, 1, 8);
                server.send(back, cuts, 1, 8);
                assertThat(server.inbox.await(cuts + 1)).isEqualTo(expected(0, cuts + 1, 8));
                assertThat(client.inbox.await(cuts + 1)).isEqualTo(expected(0, cuts + 1, 8));
            }
            assertThat(client.linkTo(server.gid)).isSameAs(there);
            assertThat(server.linkTo(client.gid)).isSameAs(back);
        }
    }

    @Test
    void dialAnewReplacesTheConnectionWhoseBreakTheAcceptorHasNotNoticed() throws IOException {
        try (LogLines log = LogLines.open();
                Node server = Node.open(1);
                Node client = Node.open(2);
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink there = client.linkTo(server.gid);
            NettyLink back = server.linkTo(client.gid);
            client.awaitAnotherConnection(there, relay::cutDiallers);
            client.send(there, 0, 1, 8);
            assertThat(server.inbox.awaitLink(1)).isSameAs(back);
            server.send(back, 0, 1, 8);
            assertThat(client.inbox.await(1)).isEqualTo(expected(0, 1, 8));
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void linkToAPeerThatStartedAnewIsSeveredAndAnotherLeadsToItsNewLife() throws Exception {
        try (Node server = Node.open(1)) {
            InetSocketAddress address = server.listen();
            Node firstLife = Node.open(2);
            firstLife.fabric.dial(address);
            NettyLink old = server.linkTo(firstLife.gid);
            firstLife.close();
            try (Node secondLife = Node.open(2)) {
                secondLife.fabric.dial(address);
                NettyLink young = server.linkTo(secondLife.gid);
                assertThat(young).isNotSameAs(old);
                secondLife.send(server, 0, 1);
                assertThat(server.inbox.awaitLink(1)).isSameAs(young);
                server.send(old, 0, 10, 8).awaitDrained();
                server.send(young, 50, 1, 8);
                assertThat(secondLife.inbox.await(1)).isEqualTo(expected(50, 1, 8));
                assertThat(old.isReliable()).isFalse();
            }
        }
    }

    @Test
    void processThatIsKilledAndStartedAtOnceIsLetIn() throws IOException, InterruptedException {
        try (LogLines log = LogLines.open();
                Node server = Node.open(1)) {
            int port = server.listen().getPort();
            try (PeerProcess firstLife = PeerProcess.start(2, port)) {
                Link old = server.inbox.awaitLink(1);
                firstLife.kill();
                try (PeerProcess secondLife = PeerProcess.start(2, port)) {
                    assertThat(server.inbox.awaitLink(2)).isNotSameAs(old);
                    assertThat(old.isReliable()).isFalse();
                    secondLife.kill();
                }
            }
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void dialAnewThatFindsTheNextLifeSeversTheLink() throws Exception {
        try (LogLines log = LogLines.open();
                Node client = Node.open(2);
                Node secondLife = Node.open(1)) {
            Node firstLife = Node.open(1);
            try (Relay relay = Relay.to(firstLife.listen())) {
                client.fabric.dial(relay.address());
                NettyLink old = client.linkTo(firstLife.gid);
                relay.leadTo(secondLife.listen());
                firstLife.close();
                client.await("another link", () -> client.port.linkTo(old.peer()) != old);
                NettyLink young = client.linkTo(secondLife.gid);
                client.send(old, 0, 10, 8).awaitDrained();
                client.send(young, 50, 1, 8);
                assertThat(secondLife.inbox.await(1)).isEqualTo(expected(50, 1, 8));
                client.awaitAnotherConnection(young, relay::cut);
                assertThat(log.texts()).isEmpty();
            }
        }
    }

    @Test
    void dialAnewThatFindsAnotherDeviceIsGivenUp() throws Exception {
        try (LogLines log = LogLines.open();
                Node server = Node.open(1);
                Node other = Node.open(3);
                Node client = Node.open(2);
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink link = client.linkTo(server.gid);
            relay.leadTo(other.listen());
            relay.cut();
            log.await("was dialled for gid=" + server.gid + " but gid=" + other.gid + " answers there now");
            relay.leadTo(server.listen());
            client.send(link, 0, 10, 8).awaitDrained();
            assertThat(link.isReliable()).isFalse();
        }
    }

    @Test
    void dialAnewRestsWhenNobodyWantsTheLinkAndGoesOnWhenSomebodyDoes() throws Exception {
        try (LogLines log = LogLines.open();
                Node server = Node.open(1);
                Node client = Node.open(2, NettyOptions.defaults().withRedialPatienceNanos(0));
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink link = client.linkTo(server.gid);
            InetSocketAddress nowhere = server.listen();
            relay.leadTo(new InetSocketAddress(nowhere.getAddress(), 1));
            relay.cut();
            log.await("rests until it is wanted");
            relay.leadTo(nowhere);
            client.send(link, 0, 1, 8).awaitDrained();
            client.awaitReliable(link);
        }
    }

    @Test
    void pausesGrowWhileConnectionsBreakBeforeTheyAreOfUse() throws IOException {
        try (Node server = Node.open(1);
                Node client = Node.open(2);
                Relay relay = Relay.to(server.listen())) {
            client.fabric.dial(relay.address());
            NettyLink link = client.linkTo(server.gid);
            long startNanos = System.nanoTime();
            for (int cuts = 0; cuts < 5; cuts++) {
                client.awaitAnotherConnection(link, relay::cut);
            }
            long leastMillis = 10 + 20 + 40 + 80 + 160;
            assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(leastMillis * 1_000_000);
        }
    }

    @Test
    void pausesBetweenDialsDouble() throws InterruptedException {
        try (Node node = Node.open(1)) {
            BlockingQueue<Long> endsNanos = new LinkedBlockingQueue<>();
            Pause pause = new Pause((NettyLane) node.port.lane(), () -> endsNanos.add(System.nanoTime()));
            for (long leastMillis : new long[] {10, 20, 40}) {
                long startNanos = System.nanoTime();
                node.port.lane().call(pause::begin);
                assertThat(endsNanos.take() - startNanos).isGreaterThanOrEqualTo(leastMillis * 1_000_000);
            }
        }
    }
}
