// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.Packet;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several devices on one fabric: each has connections of its own, and they reach each other without any. */
@Timeout(600)
class SeveralDevicesTest {

    private static final Gid SECOND = Gid.ofGuid(2);

    @Test
    @Rule("N-05")
    void listeningAndDiallingNameTheDeviceThatTheyAreFor() {
        try (Node node = Node.open(1);
                Node peer = Node.open(9)) {
            node.fabric.attach(SECOND, new Inbox());
            String which =
                    "the fabric has devices=2; say which of them %s is for, by its GID: [" + node.gid + ", " + SECOND;
            assertRefused(Errno.EINVAL, which.formatted("listen"), () -> node.fabric.listen(Node.loopback(0)));
            assertRefused(Errno.EINVAL, which.formatted("dial"), () -> node.fabric.dial(peer.listen()));
            assertRefused(
                    Errno.EINVAL,
                    "dial is for gid=" + peer.gid + ", which is no device of this fabric",
                    () -> node.fabric.dial(peer.gid, peer.listen()));
        }
    }

    @Test
    void peerInAnotherFabricReachesEachOverAConnectionOfItsOwn() {
        try (Node node = Node.open(1);
                Node peer = Node.open(9)) {
            Inbox second = new Inbox();
            FabricPort port = node.fabric.attach(SECOND, second);
            assertThat(peer.fabric.dial(node.fabric.listen(node.gid, Node.loopback(0))))
                    .isEqualTo(node.gid);
            assertThat(node.fabric.dial(SECOND, peer.listen())).isEqualTo(peer.gid);
            peer.send(peer.linkTo(node.gid), 0, 3, 8);
            peer.awaitReliable(peer.linkTo(SECOND));
            peer.send(peer.linkTo(SECOND), 10, 3, 8);
            assertThat(node.inbox.await(3)).isEqualTo(expected(0, 3, 8));
            assertThat(second.await(3)).isEqualTo(expected(10, 3, 8));
            port.close();
            peer.send(peer.linkTo(node.gid), 3, 3, 8);
            assertThat(node.inbox.await(6)).isEqualTo(expected(0, 6, 8));
            assertThat(second.size()).isEqualTo(3);
        }
    }

    @Test
    void dialFromOneToAnotherOfTheSameFabricFindsItWithoutAConnection() {
        try (LogLines log = LogLines.open();
                Node node = Node.open(1)) {
            Inbox second = new Inbox();
            node.fabric.attach(SECOND, second);
            InetSocketAddress address = node.fabric.listen(SECOND, Node.loopback(0));
            assertThat(node.fabric.dial(node.gid, address)).isEqualTo(SECOND);
            NettyLink link = node.linkTo(SECOND);
            assertThat(link.connection()).isNull();
            node.send(link, 0, 3, 8);
            assertThat(second.await(3)).isEqualTo(expected(0, 3, 8));
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void strangerWithTheGidOfANeighbourIsRefused() {
        try (Node node = Node.open(1);
                Node stranger = Node.open(2)) {
            node.fabric.attach(SECOND, new Inbox());
            InetSocketAddress address = node.fabric.listen(node.gid, Node.loopback(0));
            assertRefused(
                    Errno.EBUSY, "another device of the same GID is connected", () -> stranger.fabric.dial(address));
        }
    }

    /** What was there first stands. */
    @Test
    void deviceWithTheGidOfAConnectedPeerDoesNotTakeItsPlace() {
        try (Node node = Node.open(1);
                Node peer = Node.open(2)) {
            node.fabric.dial(peer.listen());
            Inbox late = new Inbox();
            FabricPort port = node.fabric.attach(SECOND, late);
            node.send(node.linkTo(SECOND), 0, 1, 8);
            assertThat(peer.inbox.await(1)).isEqualTo(expected(0, 1, 8));
            port.lane()
                    .call(() ->
                            ((NettyLink) port.linkTo(node.gid)).ready(new Stream(port.linkTo(node.gid), 1, 0, 1, 8)));
            peer.send(node, 5, 1);
            assertThat(node.inbox.await(1)).isEqualTo(expected(5, 1, 8));
            assertThat(late.size()).isZero();
        }
    }

    @Test
    void whoMindsANeighbourIsToldThatItWasClosed() {
        List<Gid> lost = new ArrayList<>();
        PacketSink minding = new PacketSink() {
            @Override
            public void receive(dev.verbatim.fabric.Link link, Packet packet) {}

            @Override
            public void carrierLost(Gid peer, boolean isGone) {
                lost.add(peer);
            }
        };
        try (Node node = Node.open(1)) {
            FabricPort port = node.fabric.attach(SECOND, minding);
            port.lane().call(() -> port.linkTo(node.gid).watchPeer());
            node.port.close();
            port.lane().call(() -> assertThat(lost).containsExactly(node.gid));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule("QV-12")
    void queuePairsOfDevicesOfOneVerbatimTalk(boolean spinning) {
        try (Verbatim verbatim =
                Verbatim.over(NettyFabric.open(NettyOptions.defaults().withSpinning(spinning)))) {
            Side left = new Side(verbatim.open("left"), QpCapabilities.USUAL);
            Side right = new Side(verbatim.open("right"), QpCapabilities.USUAL);
            RcConnection.USUAL.join(left.qp, right.qp);
            left.bytes().putLong(0, 42);
            left.qp.postSend(SendWorkRequest.write(1, right.address(8), right.rkey(), left.sge(0, 8)));
            assertThat(left.sent()).isSuccess().hasId(1);
            assertThat(right.bytes().getLong(8)).isEqualTo(42);
        }
    }
}
