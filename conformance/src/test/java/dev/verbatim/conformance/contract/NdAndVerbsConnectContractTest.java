// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.networkdirect.NdToken;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A program of NetworkDirect and one of verbs meet over one wire, whichever of them asks. */
@OnEveryFabric
class NdAndVerbsConnectContractTest {

    private static final byte[] HELLO = {'h', 'e', 'l', 'l', 'o'};

    @Parameter
    FabricKind fabric;

    private RcPair pair;
    private Side verbs;
    private NdSide nd;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        verbs = pair.left;
        nd = new NdSide(pair.right.device, NdProfile.REFERENCE, NdSide.Sizes.USUAL);
    }

    @AfterEach
    void close() {
        nd.parts().forEach(part -> part.release());
        assertThat(nd.leftovers()).isEmpty();
        pair.close();
    }

    private QpInitAttributes attributes() {
        return QpInitAttributes.rc(verbs.sendCq, verbs.recvCq, QpCapabilities.USUAL);
    }

    @Test
    void networkDirectAsksAndVerbsAccept() {
        InetSocketAddress own = new InetSocketAddress(verbs.device.gid().toInetAddress(), 0);
        try (ListeningEndpoint listener = Endpoint.listen(verbs.device, own, 0)) {
            InetSocketAddress there = listener.localAddress();
            EventChannel channel = listener.id().channel();
            NdConnector connector = nd.bound();
            Supplier<NdStatus> connected =
                    NdSide.start(connector, o -> connector.connect(nd.qp, there, 3, 2, HELLO, o));
            CmEvent request = expect(channel, CmEventType.CONNECT_REQUEST);
            assertThat(request.privateData()).isEqualTo(Arrays.copyOf(HELLO, 56));
            assertThat(request.parameters().initiatorDepth()).isEqualTo(3);
            assertThat(request.parameters().responderResources()).isEqualTo(2);
            CmId id = request.id();
            QueuePair qp = id.createQp(verbs.pd, attributes());
            id.accept(ConnectionParameters.USUAL.withPrivateData(HELLO));
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.privateData(connector)).isEqualTo(Arrays.copyOf(HELLO, 148));
            assertThat(NdMeeting.complete(connector)).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.limits(connector)).isEqualTo("3/2");
            assertThat(expect(channel, CmEventType.ESTABLISHED).status()).isZero();
            tokenIsHandedOverAndUsed(qp);

            assertThat(nd.qp.receive("posted", nd.sge(0, 8))).isEqualTo(NdStatus.SUCCESS);
            id.disconnect();
            Supplier<NdStatus> notice = NdSide.start(connector, connector::notifyDisconnect);
            assertThat(notice.get()).isEqualTo(NdStatus.SUCCESS);
            nd.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
            assertThat(expect(channel, CmEventType.DISCONNECTED).status()).isZero();
            connector.release();
            id.destroyQp();
            id.close();
        }
    }

    @Test
    void verbsAskAndNetworkDirectAccepts() {
        NdListener listener = nd.listen(0);
        EventChannel channel = EventChannel.open(verbs.device);
        CmId id = channel.createId();
        id.resolveAddress(NdSide.addressOf(listener), Await.LIMIT);
        assertThat(expect(channel, CmEventType.ADDR_RESOLVED).status()).isZero();
        QueuePair qp = id.createQp(verbs.pd, attributes());
        id.resolveRoute(Await.LIMIT);
        assertThat(expect(channel, CmEventType.ROUTE_RESOLVED).status()).isZero();
        id.connect(ConnectionParameters.USUAL
                .withPrivateData(HELLO)
                .withResponderResources(2)
                .withInitiatorDepth(1));
        NdConnector connector = nd.adapter.createConnector(nd.file);
        assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(connector, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(NdMeeting.privateData(connector)).isEqualTo(Arrays.copyOf(HELLO, 56));
        assertThat(NdMeeting.limits(connector)).isEqualTo("1/2");
        Supplier<NdStatus> accepted = NdSide.start(connector, o -> connector.accept(nd.qp, 4, 4, HELLO, o));
        CmEvent established = expect(channel, CmEventType.ESTABLISHED);
        assertThat(established.privateData()).startsWith(HELLO);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        tokenIsHandedOverAndUsed(qp);

        Supplier<NdStatus> disconnected = NdSide.start(connector, connector::disconnect);
        assertThat(expect(channel, CmEventType.DISCONNECTED).status()).isZero();
        id.disconnect();
        assertThat(disconnected.get()).isEqualTo(NdStatus.SUCCESS);
        connector.release();
        listener.release();
        id.destroyQp();
        id.close();
        channel.close();
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) {
        CmEvent event = Objects.requireNonNull(channel.getEvent(Await.LIMIT));
        event.acknowledge();
        assertThat(event.type()).isEqualTo(type);
        return event;
    }

    /** NetworkDirect hands over a window, verbs read and write through it, and hand over their region in turn. */
    private void tokenIsHandedOverAndUsed(QueuePair qp) {
        NdMemoryWindow window = nd.adapter.createMemoryWindow();
        int rights = NdOpFlags.ALLOW_READ | NdOpFlags.ALLOW_WRITE;
        assertThat(nd.qp.bind("bind", nd.mr, window, nd.address(1024), 64, rights))
                .isEqualTo(NdStatus.SUCCESS);
        nd.succeeds(NdRequestType.BIND, "bind");
        nd.bytes().putInt(0, window.getRemoteToken());
        qp.postRecv(ReceiveWorkRequest.of(1, verbs.sge(0, 4)));
        assertThat(nd.qp.send("send", nd.sge(0, 4), 0)).isEqualTo(NdStatus.SUCCESS);
        nd.succeeds(NdRequestType.SEND, "send");
        WorkCompletion received = verbs.received();
        assertThat(received).isSuccess().hasByteLength(4);
        // As bytes on the wire the token is the key, highest byte first.
        int rkey = (verbs.bytes().get(0) & 0xff) << 24
                | (verbs.bytes().get(1) & 0xff) << 16
                | (verbs.bytes().get(2) & 0xff) << 8
                | verbs.bytes().get(3) & 0xff;
        verbs.bytes().put(512, HELLO);
        qp.postSend(SendWorkRequest.write(2, nd.address(1024), rkey, verbs.sge(512, HELLO.length)));
        assertThat(verbs.sent()).isSuccess().hasId(2);
        byte[] arrived = new byte[HELLO.length];
        nd.bytes().get(1024, arrived);
        assertThat(arrived).isEqualTo(HELLO);

        int token = NdToken.fromRkey(verbs.rkey());
        assertThat(nd.qp.read("read", nd.sge(2048, HELLO.length), verbs.address(512), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        nd.succeeds(NdRequestType.READ, "read");
        nd.bytes().get(2048, arrived);
        assertThat(arrived).isEqualTo(HELLO);
        window.release();
    }
}
