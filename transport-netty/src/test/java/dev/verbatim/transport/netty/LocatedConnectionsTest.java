// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by IP address and port among devices with locating GIDs, with nothing configured. */
@Timeout(600)
class LocatedConnectionsTest {

    private static final InetSocketAddress ANYWHERE = new InetSocketAddress(0);

    private final List<End> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(end -> end.rdma.close());
    }

    private End end(InetAddress... addresses) {
        return end(NettyOptions.defaults().withLocatingGids(addresses));
    }

    private End end(NettyOptions options) {
        End end = new End(options);
        open.add(end);
        return end;
    }

    /** A device with what its connections need. */
    private static final class End {
        final Verbatim rdma;
        final Device device;
        final EventChannel channel;
        final ProtectionDomain pd;
        final CompletionQueue cq;

        End(NettyOptions options) {
            rdma = Verbatim.over(NettyFabric.open(options));
            device = rdma.open("end");
            channel = EventChannel.open(device);
            pd = device.allocatePd();
            cq = device.createCq(64);
        }

        /** Returns the port. */
        CmId listen(InetSocketAddress address) {
            CmId id = channel.createId();
            id.bindAddress(address);
            id.listen(0);
            return id;
        }

        CmEvent expect(CmEventType wanted) {
            CmEvent event = channel.getEvent(Await.LIMIT);
            assertThat(event.type()).as("%s", event).isEqualTo(wanted);
            event.acknowledge();
            return event;
        }

        CmId connecting(String host, int port) throws IOException {
            return connecting(null, new InetSocketAddress(InetAddress.getByName(host), port));
        }

        CmId connecting(InetSocketAddress source, InetSocketAddress destination) {
            CmId id = channel.createId();
            id.resolveAddress(source, destination, Await.LIMIT);
            expect(CmEventType.ADDR_RESOLVED);
            connect(id);
            return id;
        }

        void connect(CmId id) {
            id.createQp(pd, QpInitAttributes.rc(cq));
            id.resolveRoute(Await.LIMIT);
            expect(CmEventType.ROUTE_RESOLVED);
            id.connect(ConnectionParameters.USUAL);
        }

        void accept() {
            CmId asked = expect(CmEventType.CONNECT_REQUEST).id();
            asked.createQp(pd, QpInitAttributes.rc(cq));
            asked.accept(ConnectionParameters.USUAL);
        }
    }

    private static int portOf(CmId id) {
        return id.localAddress().getPort();
    }

    private static void assertConnects(End client, End server, String host, int port) throws IOException {
        CmId id = client.connecting(host, port);
        server.accept();
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        assertThat(id.peerAddress())
                .isEqualTo(new InetSocketAddress(server.device.gid().toInetAddress(), port));
    }

    @Test
    @Rule({"CM-28", "N-06"})
    void wildcardListensAtTheLoopbackAddressesAndTheOwn() throws IOException {
        End server = end();
        End client = end();
        int port = portOf(server.listen(ANYWHERE));
        assertConnects(client, server, "127.0.0.1", port);
        assertConnects(client, server, server.device.gid().toInetAddress().getHostAddress(), port);
    }

    @Test
    @Rule({"CM-28", "N-06"})
    void addressOfAnInterfaceStandsForTheLoopbackAddressesWhereNobodyAuthenticates() throws IOException {
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(host -> host instanceof Inet4Address && !host.isLoopbackAddress())
                .toList();
        assumeThat(others).isNotEmpty();
        End server = end();
        End client = end();
        int port = portOf(server.listen(new InetSocketAddress(others.get(0), 0)));
        assertConnects(client, server, others.get(0).getHostAddress(), port);
        assertConnects(client, server, "127.0.0.1", port);
    }

    @Test
    @Rule({"CM-28", "N-06"})
    void devicesOfOneAddressAreFoundByTheirPorts() throws IOException {
        InetAddress shared = LoopbackAddress.of(203);
        End first = end(shared);
        End second = end(shared);
        End client = end(shared);
        int one = portOf(first.listen(new InetSocketAddress(shared, 0)));
        int two = portOf(second.listen(new InetSocketAddress(shared, 0)));
        assertConnects(client, first, shared.getHostAddress(), one);
        assertConnects(client, second, shared.getHostAddress(), two);
        assertConnects(first, second, shared.getHostAddress(), two);
        assertRefused(Errno.EADDRINUSE, "N-05", () -> client.listen(new InetSocketAddress(shared, two)));
    }

    @Test
    @Rule("CM-28")
    void portIsFreeForOthersWhenItsIdentifierIsClosed() throws IOException {
        End first = end();
        End second = end();
        int port = TcpPorts.unasked();
        CmId listener = first.listen(new InetSocketAddress(port));
        assertRefused(Errno.EADDRINUSE, "N-05", () -> second.listen(new InetSocketAddress(port)));
        assertRefused(Errno.EADDRINUSE, "CM-28", () -> first.listen(new InetSocketAddress(port)));
        assertConnects(second, first, "127.0.0.1", port);
        listener.close();
        second.listen(new InetSocketAddress(port));
        assertConnects(first, second, "127.0.0.1", port);
    }

    /** NIO lets a socket listen until its selector has taken note that it was closed. */
    @Test
    @Rule("CM-28")
    void portIsFreeAtOnceWhenItsIdentifierIsClosed() throws IOException {
        NettyOptions nio = NettyOptions.defaults().withLocatingGids().withTransport(SocketTransport.NIO);
        End first = end(nio);
        End second = end(nio);
        int port = TcpPorts.unasked();
        for (int i = 0; i < 200; i++) {
            first.listen(new InetSocketAddress(port)).close();
            second.listen(new InetSocketAddress(port)).close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "own"})
    @Rule({"CM-15", "CM-21", "N-06"})
    void whereNobodyListensTheRequestIsRejected(String name) throws IOException {
        End client = end();
        String host = name.equals("own") ? client.device.gid().toInetAddress().getHostAddress() : name;
        try (Socket nobody = TcpPorts.withoutListener()) {
            client.connecting(host, nobody.getLocalPort());
            assertThat(client.expect(CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        }
    }

    @Test
    @Rule({"CM-21", "N-06"})
    void listenerOfThisMachineMayBeALittleLate() throws IOException {
        End server = end();
        End client = end();
        int port = TcpPorts.unasked();
        CmId id = client.channel.createId();
        id.resolveAddress(null, new InetSocketAddress("127.0.0.1", port), Await.LIMIT);
        server.listen(new InetSocketAddress("127.0.0.1", port));
        client.expect(CmEventType.ADDR_RESOLVED);
        assertThat(id.peerAddress().getAddress()).isEqualTo(server.device.gid().toInetAddress());
    }

    /** Two port spaces have one socket, which is the listener's when one of the two listens. */
    @ParameterizedTest
    @EnumSource(
            value = SocketTransport.class,
            names = {"NIO", "EPOLL"})
    @Rule({"CM-28", "N-06"})
    void whoComesBeforeTheListenerListensWaits(SocketTransport transport) {
        assumeThat(transport.isAvailable()).isTrue();
        End server = end(NettyOptions.defaults().withLocatingGids().withTransport(transport));
        End client = end();
        CmId listener = server.channel.createId();
        listener.bindAddress(ANYWHERE);
        CmId datagrams = server.channel.createId(null, PortSpace.UDP);
        datagrams.bindAddress(new InetSocketAddress(portOf(listener)));
        InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), portOf(listener));
        CmId id = client.channel.createId();
        id.resolveAddress(there, Duration.ofMillis(300));
        assertThat(client.expect(CmEventType.ADDR_ERROR).status()).isEqualTo(-Errno.ETIMEDOUT.number());
        id.resolveAddress(there, Await.LIMIT);
        listener.listen(0);
        client.expect(CmEventType.ADDR_RESOLVED);
        client.connect(id);
        server.accept();
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
    }

    @Test
    @Rule({"CM-21", "N-06"})
    void whereOnlyADeviceIsItRejectsTheRequest() throws IOException {
        End server = end(LoopbackAddress.of(204));
        End client = end();
        CmId id = client.connecting(LoopbackAddress.of(204).getHostAddress(), 7);
        assertThat(client.expect(CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertThat(id.peerAddress().getAddress()).isEqualTo(server.device.gid().toInetAddress());
    }

    @Test
    @Rule("N-06")
    void programConnectsToItself() throws IOException {
        End own = end();
        int port = portOf(own.listen(ANYWHERE));
        CmId id = own.connecting("127.0.0.1", port);
        CmId asked = own.expect(CmEventType.CONNECT_REQUEST).id();
        asked.createQp(own.pd, QpInitAttributes.rc(own.cq));
        asked.accept(ConnectionParameters.USUAL);
        own.expect(CmEventType.ESTABLISHED);
        own.expect(CmEventType.ESTABLISHED);
        assertThat(id.peerAddress().getAddress()).isEqualTo(own.device.gid().toInetAddress());
    }

    @Test
    @Rule("CM-28")
    void anyAddressOfThisMachineIsASource() throws IOException {
        End server = end();
        End client = end();
        int port = portOf(server.listen(ANYWHERE));
        InetSocketAddress destination = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
        client.connecting(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), destination);
        server.accept();
        CmId bound = client.channel.createId();
        client.expect(CmEventType.ESTABLISHED);
        bound.bindAddress(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        bound.resolveAddress(destination, Await.LIMIT);
        client.expect(CmEventType.ADDR_RESOLVED);
        CmId foreign = client.channel.createId();
        InetSocketAddress elsewhere = new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 0);
        assertRefused(Errno.EADDRNOTAVAIL, "CM-28", () -> foreign.resolveAddress(elsewhere, destination, Await.LIMIT));
    }
}
