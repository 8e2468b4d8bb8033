// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections over sockets, where a machine's address leads to an adapter that nobody has met. */
@Timeout(600)
class NdSocketsTest {

    /** How long a peer may be gone; two seconds usually. */
    private static final long GRACE_NANOS = 100_000_000;

    private final InetAddress machine = InetAddress.getLoopbackAddress();
    private Verbatim near;
    private Verbatim far;
    private Device device;
    private NdSide client;
    private NdSide server;

    @BeforeEach
    void open() {
        near = Verbatim.over(NettyFabric.open(NettyOptions.defaults().withCarrierGraceNanos(GRACE_NANOS)));
        far = Verbatim.over(NettyFabric.open());
        device = near.open("client");
        client = new NdSide(device);
        server = new NdSide(far.open("server"));
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
    }

    private NdListener listenAtASocket() {
        NdListener listener = server.adapter.createListener(server.file);
        assertThat(listener.bind(new InetSocketAddress(machine, 0))).isEqualTo(NdStatus.SUCCESS);
        assertThat(listener.listen(0)).isEqualTo(NdStatus.SUCCESS);
        return listener;
    }

    private Supplier<NdStatus> connect(NdConnector connector, InetSocketAddress there) {
        return NdSide.start(connector, o -> connector.connect(client.qp, there, 1, 1, null, o));
    }

    private NdConnector request(NdListener listener) {
        NdConnector asked = server.adapter.createConnector(server.file);
        assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(asked, o)))
                .isEqualTo(NdStatus.SUCCESS);
        return asked;
    }

    private static InetSocketAddress peerOf(NdConnector connector) {
        InetSocketAddress[] peer = new InetSocketAddress[1];
        assertThat(connector.getPeerAddress(peer, new NdSize())).isEqualTo(NdStatus.SUCCESS);
        return peer[0];
    }

    @Test
    void connectorFindsAnAdapterByTheAddressOfItsSocket() {
        NdListener listener = listenAtASocket();
        InetSocketAddress there = NdSide.addressOf(listener);
        assertThat(there.getAddress()).isEqualTo(machine);
        NdConnector asking = client.bound();
        Supplier<NdStatus> connected = connect(asking, there);
        NdConnector asked = request(listener);
        Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(server.qp, 1, 1, null, o));
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        // From now on the peer has a name of its own, which is good for whatever else it offers.
        assertThat(peerOf(asking)).isEqualTo(server.ownAddress(there.getPort()));
        assertThat(peerOf(asked).getAddress()).isEqualTo(client.ownAddress(0).getAddress());
        assertThat(server.qp.receive("receive", server.sge(0, 8))).isEqualTo(NdStatus.SUCCESS);
        client.bytes().putLong(0, 4711);
        assertThat(client.qp.send("send", client.sge(0, 8), 0)).isEqualTo(NdStatus.SUCCESS);
        client.succeeds(NdRequestType.SEND, "send");
        server.succeeds(NdRequestType.RECEIVE, "receive");
        assertThat(server.bytes().getLong(0)).isEqualTo(4711);
    }

    /** The refusal comes from the machine, which has nobody at that port; not from an adapter. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectToAPortWhereNobodyListensIsRefused(boolean documented) throws IOException {
        NdProfile profile = documented ? NdProfile.DOCUMENTED : NdProfile.REFERENCE;
        NdSide asking = new NdSide(device, profile, NdSide.Sizes.USUAL);
        NdConnector connector = asking.bound();
        try (Socket bound = TcpPorts.withoutListener()) {
            InetSocketAddress nobody = new InetSocketAddress(machine, bound.getLocalPort());
            assertThat(NdSide.await(connector, o -> connector.connect(asking.qp, nobody, 1, 1, null, o)))
                    .isEqualTo(NdStatus.CONNECTION_REFUSED);
        }
        NdListener listener = listenAtASocket();
        NdStatus again = connector.connect(asking.qp, NdSide.addressOf(listener), 1, 1, null, new NdOverlapped());
        // The queue pair is as it was in both dialects, and the connector in one.
        assertThat(again).isEqualTo(documented ? NdStatus.PENDING : NdStatus.CONNECTION_ACTIVE);
        NdConnector fresh = documented ? connector : asking.bound();
        if (!documented) {
            assertThat(fresh.connect(asking.qp, NdSide.addressOf(listener), 1, 1, null, new NdOverlapped()))
                    .isEqualTo(NdStatus.PENDING);
        }
        assertThat(peerOf(request(listener))).isNotNull();
    }

    @Test
    void addressOfASocketIsTakenOnce() {
        NdListener listener = listenAtASocket();
        InetSocketAddress there = NdSide.addressOf(listener);
        NdListener second = server.adapter.createListener(server.file);
        assertThat(second.bind(there)).isEqualTo(NdStatus.SHARING_VIOLATION);
        // Of this machine, for the number is that of a socket, too.
        NdListener ofAnother = client.adapter.createListener(client.file);
        assertThat(ofAnother.bind(there)).isEqualTo(NdStatus.SHARING_VIOLATION);
        listener.release();
    }

    @Test
    void peerWhoseDeviceGoesIsABrokenConnection() {
        NdListener listener = listenAtASocket();
        NdConnector asking = client.bound();
        Supplier<NdStatus> connected = connect(asking, NdSide.addressOf(listener));
        NdConnector asked = request(listener);
        Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(server.qp, 1, 1, null, o));
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(client.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        Supplier<NdStatus> notice = NdSide.start(asking, asking::notifyDisconnect);
        far.devices().forEach(Device::closeAll); // without a word, as when it breaks
        far.close();
        assertThat(notice.get()).isEqualTo(NdStatus.CONNECTION_DISCONNECTED);
        client.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
        assertThat(NdSide.await(asking, asking::disconnect)).isEqualTo(NdStatus.SUCCESS);
    }
}
