// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.AddressAnswer;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.verbs.Errno;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where devices are found and listened for, asked on the lane and answered there. */
@Timeout(600)
class AddressesOverTcpTest {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private static AddressAnswer ask(Node from, InetSocketAddress address, long timeoutNanos) {
        AddressAnswer answer = new AddressAnswer(from.port.lane());
        from.port.lane().call(() -> from.port.resolve(address, timeoutNanos, answer));
        return answer;
    }

    private static AddressAnswer resolve(Node from, InetSocketAddress address) {
        AddressAnswer answer = ask(from, address, 20 * SECOND_NANOS);
        from.await("an answer", answer::isThere);
        return answer;
    }

    @Test
    void addressIsDialledAndThenThePeerIsKnownByItsGid() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            InetSocketAddress byGid = new InetSocketAddress(server.gid.toInetAddress(), 7174);
            assertThat(resolve(client, byGid).errno()).isEqualTo(Errno.EHOSTUNREACH);
            InetSocketAddress address = server.listen();
            assertThat(resolve(client, address).peer()).isEqualTo(server.gid);
            assertThat(resolve(client, byGid).peer()).isEqualTo(server.gid);
            assertThat(resolve(client, address).peer()).isEqualTo(server.gid);
            assertThat(resolve(server, new InetSocketAddress(client.gid.toInetAddress(), 0))
                            .peer())
                    .isEqualTo(client.gid);
        }
    }

    @Test
    void laneIsNotHeldUpByADialThatIsNotAnswered() throws IOException {
        try (ServerSocket mute = RawPeer.listen();
                Node server = Node.open(1);
                Node client = Node.open(2)) {
            AddressAnswer slow = ask(client, Node.loopback(mute.getLocalPort()), SECOND_NANOS / 5);
            assertThat(resolve(client, server.listen()).peer()).isEqualTo(server.gid);
            client.await("an answer", slow::isThere);
            assertThat(slow.errno()).isEqualTo(Errno.ETIMEDOUT);
            assertThat(slow.reason()).hasMessageContaining("timeoutNanos=200000000 are over");
        }
    }

    @Test
    void whereNobodyListensTheDialIsRefused() throws IOException {
        try (Socket nobody = TcpPorts.withoutListener();
                Node client = Node.open(1)) {
            assertThat(resolve(client, Node.loopback(nobody.getLocalPort())).errno())
                    .isEqualTo(Errno.ECONNREFUSED);
        }
    }

    @Test
    void whoDoesNotProveWhatIsAskedForIsRefused() {
        SharedSecret secret = SharedSecret.of(new byte[32]);
        try (LogLines log = LogLines.open();
                Node server = Node.open(1, NettyOptions.defaults().withSecret(secret));
                Node client = Node.open(2)) {
            assertThat(resolve(client, server.listen()).errno()).isEqualTo(Errno.EACCES);
            assertThat(log.texts()).hasSize(1);
        }
    }

    @Test
    void deviceFindsItselfAtItsOwnAddress() {
        try (LogLines log = LogLines.open();
                Node node = Node.open(1)) {
            assertThat(resolve(node, node.listen()).peer()).isEqualTo(node.gid);
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void listeningAgainWhereItListensChangesNothing() {
        try (Node server = Node.open(1);
                Node other = Node.open(2)) {
            InetSocketAddress address = server.port.bind(Node.loopback(0));
            assertThat(server.port.bind(address)).isEqualTo(address);
            assertThat(server.fabric.listen(address)).isEqualTo(address);
            NettyFabricTest.assertRefused(Errno.EADDRINUSE, address.toString(), () -> other.port.bind(address));
        }
    }

    @Test
    void listeningWhereThisMachineIsNotIsRefused() throws IOException {
        InetSocketAddress elsewhere =
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 0);
        try (Node open = Node.open(1, NettyOptions.defaults().withListeningOpenly(true));
                Node careful = Node.open(2)) {
            NettyFabricTest.assertRefused(Errno.EADDRNOTAVAIL, "192.0.2.1", () -> open.port.bind(elsewhere));
            NettyFabricTest.assertRefused(Errno.EACCES, "192.0.2.1", () -> careful.port.bind(elsewhere));
        }
    }

    @Test
    void deviceThatLeftFindsNobody() {
        try (Node server = Node.open(1);
                Node client = Node.open(2)) {
            InetSocketAddress address = server.listen();
            client.port.close();
            assertThat(resolve(client, address).errno()).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void dialThatIsUnderWayWhenTheDeviceLeavesFails() throws IOException {
        try (ServerSocket mute = RawPeer.listen();
                Node client = Node.open(1)) {
            AddressAnswer answer = ask(client, Node.loopback(mute.getLocalPort()), 20 * SECOND_NANOS);
            try (RawPeer peer = RawPeer.accept(mute)) {
                client.port.close();
                client.await("an answer", answer::isThere);
                peer.awaitEnd();
            }
            assertThat(answer.errno()).isEqualTo(Errno.EINVAL);
        }
    }
}
