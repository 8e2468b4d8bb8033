// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Connections from the first call to the last, in virtual time. */
class ConnectionLifeTest {

    @AutoClose
    private final CmWorld world = new CmWorld();

    private final CmWorld.End client = world.client;
    private final CmWorld.End server = world.server;

    @Test
    @Rule({"CM-06", "CM-07", "CM-08", "CM-15", "CM-18", "CM-20"})
    void connectionStandsAndEndsAsWithLibrdmacm() {
        CmId listener = server.listen(0);
        CmId asking = world.connecting(ConnectionParameters.USUAL.withPrivateData((byte) 1, (byte) 2));
        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertThat(request.listenId()).isSameAs(listener);
        assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1, 2}, 56));
        CmId asked = request.id();
        QueuePair far = server.createQp(asked);
        asked.accept(ConnectionParameters.USUAL.withPrivateData((byte) 3));
        assertThat(far.state()).isEqualTo(QpState.RTS);
        CmEvent established = client.expect(CmEventType.ESTABLISHED);
        assertThat(established.privateData()).isEqualTo(Arrays.copyOf(new byte[] {3}, 196));
        QueuePair near = asking.qp();
        assertThat(near).isNotNull();
        assertThat(near.state()).isEqualTo(QpState.RTS);
        assertThat(server.expect(CmEventType.ESTABLISHED).privateData()).isEmpty();
        assertThat(far.query().destinationQp()).isEqualTo(near.number());
        assertThat(near.query().destinationQp()).isEqualTo(far.number());
        assertThat(far.query().rqPsn()).isEqualTo(near.query().sqPsn());
        assertThat(near.query().rqPsn()).isEqualTo(far.query().sqPsn());
        QpAttributes values = near.query();
        assertThat(values.accessFlags() & AccessFlags.REMOTE_READ).isNotZero();

        asking.disconnect();
        assertThat(near.state()).isEqualTo(QpState.ERR);
        server.expect(CmEventType.DISCONNECTED);
        assertThat(far.state()).isEqualTo(QpState.RTS);
        assertThat(client.poll()).isNull();
        asked.disconnect();
        assertThat(far.state()).isEqualTo(QpState.ERR);
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isZero();
        server.expect(CmEventType.TIMEWAIT_EXIT);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        asking.close();
        asked.close();
        listener.close();
        client.channel.close();
        server.channel.close();
        assertThat(client.leftovers()).isEmpty();
        assertThat(server.leftovers()).isEmpty();
        assertThatThrownBy(asking::disconnect).hasMessageContaining("ENOENT");
    }

    @Test
    @Rule({"CM-06", "CM-18"})
    void callbackIsToldOfAnEventWhoseWorkIsDoneWhenItIsFetched() {
        AtomicInteger told = new AtomicInteger();
        server.listen(0);
        CmId asking = world.connecting(ConnectionParameters.USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(asked);
        AtomicInteger dropped = new AtomicInteger();
        client.channel.onReady(told::incrementAndGet, dropped::incrementAndGet);
        assertThat(told).hasValue(0);
        asked.accept(ConnectionParameters.USUAL);
        world.passMillis(1);
        assertThat(told).hasValue(1);
        QueuePair near = asking.qp();
        assertThat(near).isNotNull();
        assertThat(near.state()).isEqualTo(QpState.INIT);
        client.expect(CmEventType.ESTABLISHED);
        assertThat(near.state()).isEqualTo(QpState.RTS);
        EventChannel other = EventChannel.open(client.device);
        server.expect(CmEventType.ESTABLISHED);
        asking.disconnect();
        server.expect(CmEventType.DISCONNECTED);
        asked.disconnect();
        world.passMillis(1);
        assertThat(told).hasValue(2);
        // What waits is told of at once, also when it was moved.
        assertThat(dropped).hasValue(0);
        asking.migrate(other);
        assertThat(dropped).hasValue(1);
        other.onReady(told::incrementAndGet, dropped::incrementAndGet);
        assertThat(told).hasValue(3);
        asking.close();
        assertThat(dropped).hasValue(2);
        other.onReady(null);
        other.close();
        assertThatThrownBy(() -> other.onReady(() -> {})).hasMessageContaining("EINVAL");
    }

    @Test
    @Rule({"CM-06", "CM-15"})
    void programThatFetchesNothingInBetweenResolvesAndConnectsInOneCall() {
        CmId listener = server.listen(0);
        CmId asking = client.channel.createId();
        ConnectionParameters parameters = ConnectionParameters.USUAL.withQpNumber(0x77);
        asking.resolveAndConnect(server.address(CmWorld.PORT), CmWorld.SECOND, parameters);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        asked.accept(ConnectionParameters.USUAL.withQpNumber(0x78));
        client.expect(CmEventType.CONNECT_RESPONSE);
        asking.establish();
        server.expect(CmEventType.ESTABLISHED);

        CmId lost = client.channel.createId();
        lost.resolveAndConnect(new InetSocketAddress("fe80::1", 1), CmWorld.SECOND, parameters);
        client.expect(CmEventType.ADDR_ERROR);
        CmId unfit = client.channel.createId();
        unfit.resolveAndConnect(server.address(CmWorld.PORT), CmWorld.SECOND, ConnectionParameters.USUAL);
        assertThat(client.expect(CmEventType.CONNECT_ERROR).status()).isEqualTo(-Errno.EINVAL.number());
        listener.close();
    }

    @Test
    @Rule({"CM-17", "CM-21"})
    void listenerWithoutRoomRefusesIfItIsToldTo() {
        CmId listener = server.channel.createId();
        listener.bindAddress(server.address(CmWorld.PORT));
        listener.listenOrRefuse(1);
        CmId first = world.connecting(ConnectionParameters.USUAL);
        CmId second = world.connecting(ConnectionParameters.USUAL);
        CmEvent refused = client.expect(CmEventType.REJECTED);
        assertThat(refused.id()).isSameAs(second);
        assertThat(refused.rejectReason()).isEqualTo(RejectReason.NO_RESOURCES);
        assertThat(server.expect(CmEventType.CONNECT_REQUEST).id().peerAddress())
                .isEqualTo(first.localAddress());
    }
}
