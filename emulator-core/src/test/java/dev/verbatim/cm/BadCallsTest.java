// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.Ports;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is refused at once, and that nothing is left when things end in an odd order. */
class BadCallsTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;

    @AutoClose
    private final CmWorld world = new CmWorld(1, dev.verbatim.sim.LinkFaults.NONE, CmOptions.USUAL.withMostIds(6));

    private final CmWorld.End client = world.client;
    private final CmWorld.End server = world.server;

    @Test
    @Rule("CM-01")
    void deviceWithoutAFreeQueuePairOneHasNoChannels() {
        ScriptedPeer other = new ScriptedPeer(world.fabric);
        assertRefused(Errno.EBUSY, "CM-01", () -> EventChannel.open(other.device));
        Device foreign = (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(), new Class<?>[] {Device.class}, (self, method, arguments) -> "foreign");
        assertRefused(Errno.EOPNOTSUPP, "CM-01", () -> EventChannel.open(foreign), "foreign");
        assertRefused(Errno.EOPNOTSUPP, "CM-01", () -> EventChannel.attend(foreign));
    }

    @Test
    @Rule({"CM-12", "CM-27", "CM-28", "CM-29"})
    void newIdentifierCanOnlyBeBoundResolvedOrClosed() {
        CmId id = client.channel.createId();
        assertRefused(Errno.EINVAL, "CM-27", () -> id.resolveRoute(CmWorld.SECOND));
        assertRefused(Errno.EINVAL, "CM-27", () -> client.createQp(id));
        assertRefused(Errno.EINVAL, "CM-27", () -> id.connect(USUAL));
        assertRefused(Errno.EINVAL, "CM-27", () -> id.accept(USUAL));
        assertRefused(Errno.EINVAL, "CM-27", id::reject);
        assertRefused(Errno.EINVAL, "CM-27", id::establish);
        assertRefused(Errno.EINVAL, "CM-27", id::notifyEstablished);
        assertRefused(Errno.EINVAL, "CM-27", id::disconnect);
        assertRefused(Errno.EINVAL, "CM-27", () -> id.initQpAttributes(QpState.INIT));
        assertRefused(Errno.EINVAL, "CM-27", () -> id.resolveAddress(server.address(1), Duration.ZERO));
        assertRefused(Errno.EINVAL, "CM-28", () -> id.resolveAddress(server.address(0), CmWorld.SECOND));
        assertRefused(
                Errno.EADDRNOTAVAIL,
                "CM-28",
                () -> id.resolveAddress(server.address(0), server.address(1), CmWorld.SECOND));
        assertRefused(Errno.EINVAL, "CM-12", () -> id.ackTimeout(256));
        assertRefused(Errno.EINVAL, "CM-12", () -> id.typeOfService(256));
        id.destroyQp();
        assertThat(id.localAddress()).isNull();
        assertThat(id.peerAddress()).isNull();
        id.close();
        assertRefused(Errno.ENOENT, "CM-29", id::close);
        assertRefused(Errno.ENOENT, "CM-29", () -> id.listen(0));
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-27", "CM-28"})
    void addressIsTakenOnce() {
        CmId first = server.listen(0);
        assertRefused(Errno.EINVAL, "CM-27", () -> first.bindAddress(server.address(1)));
        assertRefused(Errno.EINVAL, "CM-27", () -> first.listen(0));
        assertRefused(Errno.EINVAL, "CM-27", () -> first.resolveAddress(client.address(1), CmWorld.SECOND));
        assertRefused(Errno.EINVAL, "CM-27", () -> server.createQp(first));
        CmId second = server.channel.createId();
        assertRefused(Errno.EADDRINUSE, "CM-28", () -> second.bindAddress(server.address(CmWorld.PORT)));
        assertRefused(Errno.EADDRNOTAVAIL, "N-05", () -> second.bindAddress(client.address(1)));
        // Each port space has its own.
        CmId datagrams = server.channel.createId(PortSpace.UDP);
        datagrams.bindAddress(server.address(CmWorld.PORT));
        first.close();
        second.bindAddress(server.address(CmWorld.PORT));
        second.close();
        datagrams.close();
        assertThat(server.leftovers()).isEmpty();
    }

    @Test
    void unboundListenerGetsAnyPort() {
        CmId listener = server.channel.createId();
        listener.listen(0);
        InetSocketAddress own = listener.localAddress();
        assertThat(own).isNotNull();
        assertThat(own.getPort()).isBetween(Ports.FIRST_EPHEMERAL, Ports.END_EPHEMERAL - 1);
        CmId other = server.channel.createId();
        other.bindAddress(new InetSocketAddress(0));
        assertThat(other.localAddress()).isNotEqualTo(own);
    }

    @Test
    @Rule({"CM-15", "CM-29"})
    void unknownHostIsAnEventAfterWhichItMayBeTriedAgain() throws Exception {
        CmId id = client.channel.createId();
        InetAddress nobody = InetAddress.getByName("fe80::4711");
        id.resolveAddress(new InetSocketAddress(nobody, 1), CmWorld.SECOND);
        CmEvent event = client.fetch(CmEventType.ADDR_ERROR);
        assertThat(event.status()).isEqualTo(-Errno.EHOSTUNREACH.number());
        assertRefused(Errno.EBUSY, "CM-29", id::close);
        event.acknowledge();
        assertRefused(Errno.EINVAL, "CM-29", event::acknowledge);
        id.resolveAddress(server.address(1), CmWorld.SECOND);
        client.expect(CmEventType.ADDR_RESOLVED);
        assertRefused(Errno.EBUSY, "CM-29", client.channel::close);
        id.close();
        client.channel.close();
        assertRefused(Errno.EINVAL, "CM-29", client.channel::createId);
        assertRefused(Errno.EINVAL, "CM-29", client.channel::pollEvent);
    }

    @Test
    @Rule({"CM-19", "CM-20", "CM-27"})
    void connectSaysNothingWhenItsParametersAreWrong() {
        CmId id = client.resolved(server.address(CmWorld.PORT));
        assertRefused(Errno.EINVAL, "CM-20", () -> id.connect(USUAL.withPrivateData(new byte[57])));
        int most = client.device.query().maxQpRdAtom();
        assertRefused(Errno.EINVAL, "CM-19", () -> id.connect(USUAL.withResponderResources(most + 1)));
        assertRefused(Errno.EINVAL, "CM-19", () -> id.connect(USUAL.withInitiatorDepth(254)));
        assertRefused(Errno.EINVAL, "CM-19", () -> USUAL.withInitiatorDepth(256));
        assertRefused(Errno.EINVAL, "CM-27", () -> client.createQp(id));
        id.connect(USUAL.withPrivateData(new byte[56]).withRetryCount(200));
        assertRefused(Errno.EINVAL, "CM-27", () -> id.connect(USUAL));
        assertRefused(Errno.EINVAL, "CM-27", () -> id.accept(USUAL));
        assertRefused(Errno.EINVAL, "CM-27", id::reject);
        assertThat(client.expect(CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertRefused(Errno.EINVAL, "CM-27", () -> id.connect(USUAL));
        id.disconnect();
    }

    @Test
    @Rule({"CM-18", "CM-19", "CM-20", "CM-27"})
    void acceptAndRejectSayNothingWhenTheirParametersAreWrong() {
        server.listen(0);
        CmId asking = world.connecting(USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertRefused(Errno.EINVAL, "CM-18", () -> asked.accept(USUAL));
        server.createQp(asked);
        assertRefused(Errno.EINVAL, "CM-20", () -> asked.accept(USUAL.withPrivateData(new byte[197])));
        assertRefused(Errno.EINVAL, "CM-20", () -> asked.reject(new byte[149]));
        assertRefused(Errno.EINVAL, "CM-19", () -> asked.accept(USUAL.withResponderResources(254)));
        assertRefused(Errno.EINVAL, "CM-27", () -> asked.connect(USUAL));
        assertThat(client.hasEvent()).isFalse();
        asked.accept(USUAL.withPrivateData(new byte[196]));
        assertRefused(Errno.EINVAL, "CM-27", () -> asked.accept(USUAL));
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        assertRefused(Errno.EINVAL, "CM-27", asked::reject);
        asking.disconnect();
        asking.disconnect();
        server.expect(CmEventType.DISCONNECTED);
        asked.disconnect();
        client.expect(CmEventType.DISCONNECTED);
        asked.disconnect();
    }

    @Test
    @Rule({"CM-18", "CM-27"})
    void disconnectOfAnUnansweredRequestOnlyTakesTheQueuePairToErr() {
        CmId listener = server.listen(0);
        listener.disconnect();
        CmId asking = world.connecting(USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        QueuePair far = server.createQp(asked);
        asking.disconnect();
        asked.disconnect();
        assertThat(Objects.requireNonNull(asking.qp()).state()).isEqualTo(QpState.ERR);
        assertThat(far.state()).isEqualTo(QpState.ERR);
        world.passMillis(1);
        assertThat(client.hasEvent()).isFalse();
        assertThat(server.hasEvent()).isFalse();
        asked.reject();
        client.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule("CM-29")
    void closeWithPatienceWaitsUntilTheEventsAreAcknowledged() {
        CmId id = client.channel.createId();
        id.resolveAddress(server.address(1), CmWorld.SECOND);
        CmEvent event = client.fetch(CmEventType.ADDR_RESOLVED);
        assertRefused(Errno.ETIMEDOUT, "CM-29", () -> id.close(CmWorld.SECOND), "1 events");
        event.acknowledge();
        id.close(CmWorld.SECOND);
        assertRefused(Errno.ENOENT, "CM-29", () -> id.close(CmWorld.SECOND));
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule("CM-24")
    void identifiersAreBounded() {
        CmId listener = server.listen(0);
        for (int i = 0; i < 5; i++) {
            world.server.channel.createId();
        }
        assertRefused(Errno.ENOMEM, "CM-24", server.channel::createId);
        // A request has no room either.
        CmId asking = world.connecting(USUAL);
        world.passMillis(1);
        assertThat(server.hasEvent()).isFalse();
        assertThat(asking.toString()).contains("CONNECT");
        assertThat(listener.toString()).contains("LISTEN");
    }

    @Test
    @Rule("CM-26")
    void closedDeviceIsAnEventOfEveryIdentifier() {
        CmId listener = server.listen(0);
        CmId[] ends = world.connected();
        CmId waiting = world.connecting(USUAL);
        CmId unfetched = world.connecting(USUAL);
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        world.passMillis(1);
        server.device.closeAll();
        for (CmId expected : new CmId[] {listener, ends[1], request}) {
            CmEvent event = server.expect(CmEventType.DEVICE_REMOVAL);
            assertThat(event.id()).isSameAs(expected);
            assertRefused(Errno.ENODEV, "CM-26", () -> expected.listen(0));
            assertThat(expected.qp()).isNull();
            expected.close();
        }
        assertThat(server.hasEvent()).isFalse();
        server.channel.close();
        // Whose request nobody had fetched is refused; the other peers are told nothing, and find out by themselves.
        CmEvent refused = client.expect(CmEventType.REJECTED);
        assertThat(refused.id()).isSameAs(unfetched);
        assertThat(refused.status()).isEqualTo(28);
        assertThat(client.expect(CmEventType.UNREACHABLE).id()).isSameAs(waiting);
        ends[0].disconnect();
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isEqualTo(-110);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        for (CmId each : new CmId[] {ends[0], waiting, unfetched}) {
            each.close();
        }
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-07", "CM-08", "CM-15"})
    void lostCarrierEndsWhatItCarried() {
        server.listen(0);
        CmId[] ends = world.connected();
        CmId waiting = world.connecting(USUAL);
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        lose(client, server);
        lose(server, client);
        assertThat(client.fetch(CmEventType.DISCONNECTED).status()).isEqualTo(-110);
        assertThat(ends[0].qp()).isNotNull();
        assertThat(ends[0].qp().state()).isEqualTo(QpState.ERR);
        CmEvent unreachable = client.expect(CmEventType.UNREACHABLE);
        assertThat(unreachable.status()).isEqualTo(-110);
        assertThat(unreachable.id()).isSameAs(waiting);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        assertThat(server.expect(CmEventType.DISCONNECTED).status()).isEqualTo(-110);
        assertThat(server.expect(CmEventType.REJECTED).id()).isSameAs(request);
        server.expect(CmEventType.TIMEWAIT_EXIT);
        assertRefused(Errno.ECONNABORTED, "CM-08", () -> request.accept(USUAL));
    }

    @Test
    @Rule({"CM-07", "CM-08", "CM-15"})
    void peerThatIsGoneEndsItsConnectionsAsItsSystemWould() {
        server.listen(0);
        CmId[] ends = world.connected();
        CmId leaving = world.connected()[0];
        leaving.disconnect();
        assertThat(server.expect(CmEventType.DISCONNECTED).status()).isZero();
        CmId waiting = world.connecting(USUAL);
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        tell(client, server, true);
        tell(server, client, true);
        CmEvent left = client.expect(CmEventType.DISCONNECTED);
        assertThat(left.id()).isSameAs(ends[0]);
        assertThat(left.status()).isZero();
        assertThat(ends[0].qp()).isNotNull();
        assertThat(ends[0].qp().state()).isEqualTo(QpState.RTS);
        CmEvent over = client.expect(CmEventType.DISCONNECTED);
        assertThat(over.id()).isSameAs(leaving);
        assertThat(over.status()).isZero();
        CmEvent refused = client.expect(CmEventType.REJECTED);
        assertThat(refused.id()).isSameAs(waiting);
        assertThat(refused.rejectReason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(server.expect(CmEventType.DISCONNECTED).status()).isZero();
        CmEvent withdrawn = server.expect(CmEventType.REJECTED);
        assertThat(withdrawn.id()).isSameAs(request);
        assertThat(withdrawn.rejectReason()).isEqualTo(RejectReason.TIMEOUT);
        assertRefused(Errno.ECONNABORTED, "CM-08", () -> request.accept(USUAL));
    }

    private void lose(CmWorld.End end, CmWorld.End peer) {
        tell(end, peer, false);
    }

    private void tell(CmWorld.End end, CmWorld.End peer, boolean isGone) {
        CmAgent agent = CmAgent.of(end.device);
        agent.lane().call(() -> agent.carrierLost(peer.device.gid(), isGone));
    }

    @Test
    @Rule({"CM-27", "CM-29"})
    void movedIdentifierTakesItsEventsAlong() {
        CmId listener = server.listen(0);
        CmId asking = world.connecting(USUAL);
        world.passMillis(1);
        EventChannel other = EventChannel.open(server.device);
        assertRefused(Errno.EINVAL, "CM-27", () -> listener.migrate(client.channel));
        listener.migrate(other);
        assertThat(server.hasEvent()).isFalse();
        CmEvent event = other.pollEvent();
        assertThat(event).isNotNull();
        event.acknowledge();
        event.id().reject();
        client.expect(CmEventType.REJECTED);
        server.channel.close();
        assertThat(listener.channel()).isSameAs(other);
        assertRefused(Errno.EINVAL, "CM-29", () -> listener.migrate(server.channel));
        listener.close();
        assertRefused(Errno.EBUSY, "CM-29", other::close);
        event.id().close();
        other.close();
        asking.close();
        assertThat(server.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-07", "CM-08"})
    void managerMayAnswerTheEndItself() {
        EventChannel prompt = EventChannel.open(server.device, CmOptions.USUAL.withAnswersDisconnects(true));
        CmId listener = prompt.createId();
        listener.bindAddress(server.address(CmWorld.PORT));
        listener.listen(0);
        CmId asking = world.connecting(USUAL);
        CmEvent request = prompt.getEvent(CmWorld.SECOND);
        assertThat(request).isNotNull();
        server.createQp(request.id());
        request.id().accept(USUAL);
        client.expect(CmEventType.ESTABLISHED);
        world.passMillis(1);
        asking.disconnect();
        client.expect(CmEventType.DISCONNECTED);
        assertThat(request.id().qp()).isNotNull();
        assertThat(request.id().qp().state()).isEqualTo(QpState.ERR);
    }

    @Test
    @Rule({"CM-06", "CM-07", "CM-08"})
    void deviceConnectsToItself() {
        server.listen(0);
        CmId asking = server.channel.createId();
        asking.resolveAddress(server.address(CmWorld.PORT), CmWorld.SECOND);
        server.expect(CmEventType.ADDR_RESOLVED);
        asking.resolveRoute(CmWorld.SECOND);
        server.expect(CmEventType.ROUTE_RESOLVED);
        server.createQp(asking);
        asking.connect(USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(asked);
        asked.accept(USUAL);
        assertThat(server.expect(CmEventType.ESTABLISHED).id()).isSameAs(asking);
        assertThat(server.expect(CmEventType.ESTABLISHED).id()).isSameAs(asked);
        asking.disconnect();
        assertThat(server.expect(CmEventType.DISCONNECTED).id()).isSameAs(asked);
        asked.disconnect();
        assertThat(server.expect(CmEventType.DISCONNECTED).id()).isSameAs(asking);
    }

    @Test
    @Rule("CM-24")
    void halfOpenConnectionsAreBounded() {
        try (CmWorld narrow = new CmWorld(1, dev.verbatim.sim.LinkFaults.NONE, CmOptions.USUAL.withMostHalfOpen(1))) {
            narrow.server.listen(0);
            CmId first = narrow.connecting(USUAL);
            CmId asked = narrow.server.expect(CmEventType.CONNECT_REQUEST).id();
            CmId second = narrow.connecting(USUAL);
            narrow.passMillis(1);
            assertThat(narrow.server.hasEvent()).isFalse();
            narrow.server.createQp(asked);
            asked.accept(USUAL);
            assertThat(narrow.client.expect(CmEventType.ESTABLISHED).id()).isSameAs(first);
            narrow.server.expect(CmEventType.ESTABLISHED);
            // The repeat of the second one finds room.
            narrow.server.expect(CmEventType.CONNECT_REQUEST).id().reject();
            assertThat(narrow.client.expect(CmEventType.REJECTED).id()).isSameAs(second);
        }
    }
}
