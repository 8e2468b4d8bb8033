// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.fabric.Link;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class NettyFabricTest {

    private static final long SECOND_NANOS = 1_000_000_000L;

    /** With less, Linux closes its windows and asks every 200 ms whether they are open again. */
    private static final int NARROW_BYTES = 4096;

    @Test
    void dialTellsThePeersGid() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            assertThat(client.fabric.dial(server.listen())).isEqualTo(server.gid);
        }
    }

    @Test
    void packetsArriveInOrderWithTheirPayloadInBothDirections() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            client.fabric.dial(server.listen());
            client.send(client.linkTo(server.gid), 0, 1000, 1023);
            server.send(server.linkTo(client.gid), 5, 1000, 4096);
            assertThat(server.inbox.await(1000)).isEqualTo(expected(0, 1000, 1023));
            assertThat(client.inbox.await(1000)).isEqualTo(expected(5, 1000, 4096));
        }
    }

    @Test
    void checksumsAreCarriedWhenBothEndsWantThem() {
        NettyOptions checked = NettyOptions.defaults().withChecksum(true);
        try (Node server = Node.open(1, checked);
                Node client = Node.open(2, checked);
                Node careless = Node.open(3)) {
            InetSocketAddress address = server.listen();
            client.fabric.dial(address);
            careless.fabric.dial(address);
            client.send(server, 0, 3);
            assertThat(server.inbox.await(3)).isEqualTo(expected(0, 3, 8));
            careless.send(server, 3, 3);
            assertThat(server.inbox.await(6)).isEqualTo(expected(0, 6, 8));
        }
    }

    @Test
    void bothDirectionsSaturatedThroughTheSmallestSocketBuffersFinish() {
        NettyOptions narrow = NettyOptions.defaults().withSocketBufferBytes(NARROW_BYTES);
        try (Node server = Node.open(1, narrow);
                Node client = Node.open(2, narrow)) {
            client.fabric.dial(server.listen());
            NettyLink there = client.linkTo(server.gid);
            NettyLink back = server.linkTo(client.gid);
            client.send(there, 0, 2000, 4096);
            server.send(back, 0, 2000, 4096);
            assertThat(server.inbox.await(2000)).isEqualTo(expected(0, 2000, 4096));
            assertThat(client.inbox.await(2000)).isEqualTo(expected(0, 2000, 4096));
        }
    }

    @Test
    void sourcesTakeTurns() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            Stream one = new Stream(link, 0x11, 0, 100, 8);
            Stream other = new Stream(link, 0x12, 0, 100, 8);
            client.port.lane().call(() -> {
                link.ready(one);
                link.ready(other);
            });
            List<Integer> queuePairs = server.inbox.await(200).stream()
                    .map(packet -> packet.bth().destQp())
                    .toList();
            assertThat(queuePairs)
                    .isEqualTo(
                            IntStream.range(0, 200).mapToObj(i -> 0x11 + i % 2).toList());
        }
    }

    @Test
    void allPacketsOfAPeerComeOverTheLinkThatLeadsToIt() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            Link asked = server.linkTo(client.gid);
            client.fabric.dial(server.listen());
            client.send(server, 0, 1);
            assertThat(server.inbox.awaitLink(1)).isSameAs(asked).isSameAs(server.linkTo(client.gid));
            assertThat(asked.isReliable()).isTrue();
        }
    }

    @Test
    void linkWithoutAConnectionLosesWhatItPulls() throws InterruptedException {
        try (Node alone = Node.open(1)) {
            NettyLink nowhere = alone.linkTo(Gid.ofGuid(9));
            alone.send(nowhere, 0, 20_000, 8).awaitDrained();
            assertThat(nowhere.isReliable()).isFalse();
        }
    }

    @Test
    void sourceThatHasLeftTheLinkIsPassedOver() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            client.fabric.dial(server.listen());
            NettyLink link = client.linkTo(server.gid);
            NettyLink other = client.linkTo(Gid.ofGuid(9));
            client.port.lane().call(() -> {
                link.ready(new Stream(null, 0x11, 0, 5, 8));
                link.ready(new Stream(other, 0x11, 5, 5, 8));
                link.ready(new Stream(link, 0x11, 10, 5, 8));
            });
            assertThat(server.inbox.await(5)).isEqualTo(expected(10, 5, 8));
        }
    }

    @Test
    void freshGuidsDiffer() {
        try (NettyFabric fabric = NettyFabric.open()) {
            assertThat(fabric.freshGuid()).isNotZero().isNotEqualTo(fabric.freshGuid());
        }
    }

    @Test
    void secondDialToAConnectedPeerSucceedsAtOnce() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            InetSocketAddress address = server.listen();
            client.fabric.dial(address);
            assertThat(client.fabric.dial(address)).isEqualTo(server.gid);
            assertThat(server.fabric.dial(client.listen())).isEqualTo(client.gid);
            client.send(server, 0, 1);
            assertThat(server.inbox.await(1)).isEqualTo(expected(0, 1, 8));
        }
    }

    @Test
    void secondDeviceOfAGidIsRefusedUntilTheFirstHasLeft() {
        try (Node node = Node.open(1)) {
            assertRefused(
                    Errno.EBUSY,
                    "fe80:0000:0000:0000:0000:0000:0000:0001 is taken on this fabric",
                    () -> node.fabric.attach(node.gid, node.inbox));
            node.port.close();
            assertThat(node.fabric.attach(node.gid, node.inbox).gid()).isEqualTo(node.gid);
        }
    }

    @Test
    void listenAndDialNeedADevice() {
        try (NettyFabric bare = NettyFabric.open()) {
            assertRefused(Errno.EINVAL, "open a device on the fabric first", () -> bare.listen(Node.loopback(0)));
            assertRefused(Errno.EINVAL, "open a device on the fabric first", () -> bare.dial(Node.loopback(1)));
        }
    }

    @Test
    void closedFabricRefusesEverything() {
        Node node = Node.open(1);
        node.close();
        assertRefused(Errno.EINVAL, "is closed", () -> node.fabric.attach(node.gid, node.inbox));
        assertRefused(Errno.EINVAL, "is closed", () -> node.fabric.listen(Node.loopback(0)));
        assertRefused(Errno.EINVAL, "is closed", () -> node.fabric.dial(Node.loopback(1)));
    }

    @Test
    void dialWhereNobodyListensSaysSo() throws IOException {
        try (Socket nobody = TcpPorts.withoutListener();
                Node client = Node.open(1)) {
            assertRefused(
                    Errno.ECONNREFUSED,
                    "Connection refused",
                    () -> client.fabric.dial(Node.loopback(nobody.getLocalPort())));
        }
    }

    @Test
    void dialToAnUnknownHostSaysSo() {
        try (Node client = Node.open(1)) {
            InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
            assertRefused(Errno.EINVAL, "nowhere.invalid", () -> client.fabric.dial(unknown));
        }
    }

    @Test
    void dialToSomebodyWhoStaysSilentEndsWithItsTimeout() throws IOException {
        NettyOptions hasty = NettyOptions.defaults().withHelloTimeoutNanos(SECOND_NANOS / 20);
        try (ServerSocket mute = RawPeer.listen();
                Node client = Node.open(1, hasty)) {
            assertRefused(
                    Errno.ETIMEDOUT,
                    "helloTimeoutNanos=50000000",
                    () -> client.fabric.dial(Node.loopback(mute.getLocalPort())));
        }
    }

    @Test
    void dialGivesUpAfterItsTimeout() throws IOException {
        NettyOptions hasty = NettyOptions.defaults().withDialTimeoutNanos(SECOND_NANOS / 20);
        try (ServerSocket mute = RawPeer.listen();
                Node client = Node.open(1, hasty)) {
            assertRefused(
                    Errno.ETIMEDOUT,
                    "timeoutNanos=50000000",
                    () -> client.fabric.dial(Node.loopback(mute.getLocalPort())));
        }
    }

    /** Its loop has mostly just been started, and makes the socket when the device is closed already. */
    @Test
    void dialThatEndsBeforeItsSocketIsMadeLeavesNothingBehind() throws IOException {
        try (ServerSocket mute = RawPeer.listen()) {
            for (int round = 0; round < 300; round++) {
                try (Node client = Node.open(1, NettyOptions.defaults().withDialTimeoutNanos(SECOND_NANOS / 10_000))) {
                    assertRefused(
                            Errno.ETIMEDOUT,
                            "timeoutNanos=100000",
                            () -> client.fabric.dial(Node.loopback(mute.getLocalPort())));
                }
            }
        }
    }

    @Test
    void dialToAnotherDeviceOfTheSameGidSaysSo() {
        try (LogLines log = LogLines.open();
                Node server = Node.open(1);
                Node twin = Node.open(1)) {
            InetSocketAddress address = server.listen();
            assertRefused(Errno.EINVAL, "another GUID", () -> twin.fabric.dial(address));
            assertThat(log.texts()).hasSize(1);
        }
    }

    @Test
    void listeningAtATakenPortSaysSo() {
        try (Node one = Node.open(1);
                Node other = Node.open(2)) {
            InetSocketAddress address = one.listen();
            assertRefused(Errno.EADDRINUSE, address.toString(), () -> other.fabric.listen(address));
        }
    }

    @Test
    void portThatClosesTakesItsConnectionsAndListenersAlong() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            InetSocketAddress address = server.listen();
            client.fabric.dial(address);
            NettyLink link = client.linkTo(server.gid);
            server.port.close();
            client.awaitUnreliable(link);
            assertRefused(Errno.ECONNREFUSED, "refused", () -> client.fabric.dial(address));
        }
    }

    /** A selector lets go of a closed socket only when it looks at its sockets again, and until then the socket listens. */
    @Test
    void addressIsFreeWhenThePortIsClosed() throws IOException {
        try (Node first = Node.open(1)) {
            InetSocketAddress address = first.fabric.listen(Node.loopback(TcpPorts.unasked()));
            first.port.close();
            for (int i = 0; i < 100; i++) {
                try (Node next = Node.open(1)) {
                    next.fabric.listen(address);
                    next.port.close();
                    assertRefused(Errno.ECONNREFUSED, "refused", () -> dialAlone(address));
                }
            }
        }
    }

    private static void dialAlone(InetSocketAddress address) {
        try (Node client = Node.open(2)) {
            client.fabric.dial(address);
        }
    }

    @Test
    void closingLeavesNoThreadBehind() {
        Node server = Node.open(1);
        Node client = Node.open(2);
        client.fabric.dial(server.listen());
        assertThat(transportThreads()).isEqualTo(2);
        client.close();
        server.close();
        assertThat(transportThreads()).isZero();
    }

    @Test
    void closingTwiceOrUnusedIsHarmless() {
        NettyFabric unused = NettyFabric.open();
        unused.close();
        unused.close();
        assertThat(transportThreads()).isZero();
    }

    static List<PacketRecord> expected(int firstPsn, int count, int payloadBytes) {
        Stream stream = new Stream(null, 0x11, firstPsn, count, payloadBytes);
        Packet packet = new Packet();
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    stream.pull(packet);
                    return PacketRecord.of(packet);
                })
                .toList();
    }

    static void assertRefused(Errno errno, String words, ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(words);
    }

    private static long transportThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("verbatim-tcp"))
                .count();
    }
}
