// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.cm.protocol.Ports;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The side that asks, against a peer who says what it is told to: datagram for datagram as measured of Linux. */
class ActiveExchangeTest extends ActiveExchangeFixture {

    @Test
    @Rule({"CM-02", "CM-03", "CM-05", "CM-20"})
    void requestSaysWhatLinuxSays() {
        InetSocketAddress own = Objects.requireNonNull(id.localAddress());
        assertThat(req)
                .isEqualTo(Req.builder()
                        .localId(req.localId())
                        .serviceId(0x0000_0000_0106_1c06L)
                        .localCaGuid(client.device.query().guid())
                        .localQpn(qp().number())
                        .responderResources(4)
                        .initiatorDepth(3)
                        .remoteResponseTimeout(20)
                        .startingPsn(req.startingPsn())
                        .localResponseTimeout(20)
                        .retryCount(4)
                        .partitionKey(0xffff)
                        .pathMtu(client.device.queryPort(1).activeMtu().number())
                        .rnrRetryCount(2)
                        .maxCmRetries(15)
                        .primary(new dev.verbatim.wire.mad.Path(
                                0xffff,
                                0xffff,
                                near,
                                peer.device.gid(),
                                own.getPort() * 31 + CmWorld.PORT & 0xfffff,
                                0,
                                64,
                                0,
                                0,
                                false,
                                19))
                        .alternate(dev.verbatim.wire.mad.Path.NONE)
                        .privateData(IpHeader.of(own.getPort(), near, peer.device.gid())
                                .emit(Octets.of((byte) 5)))
                        .build());
        assertThat(own.getPort()).isBetween(Ports.FIRST_EPHEMERAL, Ports.END_EPHEMERAL - 1);
        // The agent's number, and the connection's own as a little-endian machine reads it.
        assertThat(transaction).isEqualTo(2L << 32 | Integer.reverseBytes(req.localId()) & 0xffff_ffffL);
    }

    @Test
    @Rule({"CM-07", "CM-12", "CM-15"})
    void unansweredRequestIsRepeatedFifteenTimesInTheSameBytes() {
        Octets bytes = req.emit(transaction);
        for (int sent = 2; sent <= 16; sent++) {
            Heard again = peer.hear();
            assertThat(again.bytes()).isEqualTo(bytes);
            assertThat(again.millis()).isEqualTo((sent - 1) * 6_144L);
        }
        CmEvent event = client.expect(CmEventType.UNREACHABLE);
        assertThat(world.nowMillis()).isEqualTo(16 * 6_144L);
        assertThat(event.status()).isEqualTo(-110);
        assertThat(event.privateData()).isEmpty();
        assertThat(peer.heardSince()).isEmpty();
        assertThat(qp().state()).isEqualTo(QpState.INIT);
        assertThatThrownBy(() -> id.connect(ConnectionParameters.USUAL)).hasMessageContaining("EINVAL");
        id.disconnect();
        id.close();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-07", "CM-12"})
    void whoAsksForMoreTimeGetsIt() {
        say(new Mra(ScriptedPeer.ID, req.localId(), Mra.MESSAGE_REQ, 21, Octets.EMPTY));
        // A second one changes nothing.
        say(new Mra(ScriptedPeer.ID, req.localId(), Mra.MESSAGE_REQ, 8, Octets.EMPTY));
        assertThat(client.hasEvent()).isFalse();
        Heard again = peer.hear();
        assertThat(again.message()).isEqualTo(req);
        // 2^(21-8) and the ACK timeout, 2^(19-8): as Linux has it, from now on, and not by another MRA.
        assertThat(again.millis()).isEqualTo(8_192 + 2_048L);
        say(new Mra(ScriptedPeer.ID, req.localId(), Mra.MESSAGE_REQ, 8, Octets.EMPTY));
        assertThat(peer.hear().millis()).isEqualTo(2 * (8_192 + 2_048L));
        establish();
        // What is said later has its own pace.
        id.disconnect();
        long ended = peer.hear().millis();
        assertThat(peer.hear().millis() - ended).isEqualTo(6_144);
    }

    @Test
    @Rule({"CM-06", "CM-07", "CM-15", "CM-20"})
    void answerIsConfirmedWhenItsEventIsFetched() {
        Rep rep = peer.reply(req);
        say(rep);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(qp().state()).isEqualTo(QpState.INIT);
        say(rep);
        assertThat(peer.hear(Mra.class))
                .isEqualTo(new Mra(req.localId(), ScriptedPeer.ID, Mra.MESSAGE_REP, 24, Octets.EMPTY));
        CmEvent event = client.expect(CmEventType.ESTABLISHED);
        peer.settle();
        Heard first = peer.hear();
        assertThat(first.message()).isEqualTo(new Rtu(req.localId(), ScriptedPeer.ID, Octets.EMPTY));
        assertThat(first.transaction()).isEqualTo(transaction);
        say(rep);
        assertThat(peer.hear().bytes()).isEqualTo(first.bytes());
        // Somebody else's.
        say(new Rep(
                ScriptedPeer.ID + 1,
                req.localId(),
                0,
                QPN_OF_ANOTHER,
                0,
                0,
                0,
                1,
                1,
                15,
                0,
                false,
                7,
                false,
                peer.port.guid(),
                Octets.EMPTY));
        assertThat(peer.heardSince()).isEmpty();
        assertThat(event.privateData()).isEqualTo(Arrays.copyOf(new byte[] {9}, 196));
        assertThat(event.parameters().toString())
                .isEqualTo("responder_resources=3 initiator_depth=2 flow_control=false retry_count=0 rnr_retry_count=6"
                        + " srq=false qp_num=" + ScriptedPeer.QPN + " private_data=196 bytes");
    }

    private static final int QPN_OF_ANOTHER = 0x999;

    @Test
    @Rule({"CM-18", "CM-19"})
    void queuePairHasWhatWasAgreedUpon() {
        establish();
        QpAttributes values = qp().query();
        assertThat(values.state()).isEqualTo(QpState.RTS);
        assertThat(values.destinationQp()).isEqualTo(ScriptedPeer.QPN);
        assertThat(values.rqPsn()).isEqualTo(req.startingPsn());
        assertThat(values.sqPsn()).isEqualTo(ScriptedPeer.PSN);
        // The peer has at most three outstanding, and serves two.
        assertThat(values.maxDestRdAtomic()).isEqualTo(3);
        assertThat(values.maxRdAtomic()).isEqualTo(2);
        assertThat(values.timeout()).isEqualTo(19);
        assertThat(values.retryCount()).isEqualTo(4);
        assertThat(values.rnrRetry()).isEqualTo(6);
        assertThat(values.minRnrTimer()).isZero();
        assertThat(values.pathMtu().number()).isEqualTo(req.pathMtu());
        assertThat(values.addressVector())
                .isEqualTo(AddressVector.to(peer.device.gid())
                        .withGrh(0, req.primary().flowLabel(), 64));
        assertThat(values.accessFlags() & ~(AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT))
                .isEqualTo(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC);
    }

    @Test
    @Rule({"CM-07", "CM-15", "CM-20", "CM-21"})
    void refusalComesWithItsReasonAndWhatThePeerSaid() {
        say(new Rej(0x77, req.localId(), Rej.MESSAGE_REQ, 28, Octets.EMPTY, Octets.of((byte) 'A', (byte) 'B')));
        assertThat(qp().state()).isEqualTo(QpState.INIT);
        CmEvent event = client.expect(CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(28);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(event.privateData()).isEqualTo(Arrays.copyOf(new byte[] {'A', 'B'}, 148));
        assertThat(qp().state()).isEqualTo(QpState.ERR);
        world.passMillis(100_000);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(client.hasEvent()).isFalse();
    }

    @Test
    @Rule({"CM-07", "CM-15"})
    void refusalForAStaleConnectionIsFollowedByNoOtherEvent() {
        say(new Rej(0, req.localId(), Rej.MESSAGE_REQ, 10, Octets.EMPTY, Octets.EMPTY));
        assertThat(client.expect(CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.STALE_CONN);
        world.passMillis(10_000);
        assertThat(client.hasEvent()).isFalse();
        id.close();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-07", "CM-21"})
    void closedRequestIsWithdrawnWithItsGuid() {
        id.close();
        Rej rej = peer.hear(Rej.class);
        byte[] guid = ByteBuffer.allocate(8).putLong(req.localCaGuid()).array();
        assertThat(rej).isEqualTo(new Rej(req.localId(), 0, Rej.MESSAGE_OTHER, 4, Octets.of(guid), Octets.EMPTY));
        world.passMillis(100_000);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-06", "CM-07", "CM-21"})
    void answerThatTheDeviceCannotFulfilIsRefused() {
        Rep rep = peer.reply(req);
        int tooMany = client.device.query().maxQpRdAtom() + 1;
        say(new Rep(
                rep.localId(),
                rep.remoteId(),
                0,
                rep.localQpn(),
                0,
                rep.startingPsn(),
                0,
                1,
                tooMany,
                15,
                0,
                false,
                7,
                false,
                rep.localCaGuid(),
                Octets.EMPTY));
        CmEvent event = client.expect(CmEventType.CONNECT_ERROR);
        assertThat(event.status()).isEqualTo(-22);
        assertThat(qp().state()).isEqualTo(QpState.ERR);
        assertThat(peer.hear(Rej.class))
                .isEqualTo(new Rej(req.localId(), ScriptedPeer.ID, Rej.MESSAGE_REP, 28, Octets.EMPTY, Octets.EMPTY));
        id.close();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule("CM-11")
    void answerOfAQueuePairThatIsConnectedAlreadyEndsTheOldConnection() {
        establish();
        CmId second = client.resolved(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT));
        second.connect(ConnectionParameters.USUAL);
        Req other = peer.hear(Req.class);
        say(new Rep(
                0x555,
                other.localId(),
                0,
                ScriptedPeer.QPN,
                0,
                1,
                0,
                1,
                1,
                15,
                0,
                false,
                7,
                false,
                peer.port.guid(),
                Octets.EMPTY));
        assertThat(peer.hear(Rej.class))
                .isEqualTo(new Rej(other.localId(), 0x555, Rej.MESSAGE_REP, 10, Octets.EMPTY, Octets.EMPTY));
        assertThat(peer.hear(Dreq.class))
                .isEqualTo(new Dreq(req.localId(), ScriptedPeer.ID, ScriptedPeer.QPN, Octets.EMPTY));
        assertThat(qp().state()).isEqualTo(QpState.RTS);
        assertThat(client.hasEvent()).isFalse();
    }

    @Test
    @Rule({"CM-06", "CM-15", "CM-18"})
    void queuePairOfTheApplicationIsConfirmedByTheApplication() {
        CmId bare = client.channel.createId();
        bare.resolveAddress(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT), CmWorld.SECOND);
        client.expect(CmEventType.ADDR_RESOLVED);
        bare.resolveRoute(CmWorld.SECOND);
        client.expect(CmEventType.ROUTE_RESOLVED);
        assertThatThrownBy(() -> bare.connect(ConnectionParameters.USUAL)).hasMessageContaining("qp_num=0");
        QueuePair own = client.pd.createQp(client.attributes());
        own.modify(bare.initQpAttributes(QpState.INIT));
        bare.connect(ConnectionParameters.USUAL.withQpNumber(own.number()));
        Req asked = peer.hear(Req.class);
        assertThat(asked.localQpn()).isEqualTo(own.number());
        assertThatThrownBy(bare::establish).hasMessageContaining("EINVAL");
        say(peer.reply(asked));
        assertThatThrownBy(bare::establish).hasMessageContaining("EINVAL");
        CmEvent event = client.expect(CmEventType.CONNECT_RESPONSE);
        assertThat(event.privateData()).hasSize(196);
        assertThat(peer.heardSince()).isEmpty();
        for (QpState state : new QpState[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
            own.modify(bare.initQpAttributes(state));
        }
        bare.establish();
        peer.hear(Rtu.class);
        assertThat(own.query().destinationQp()).isEqualTo(ScriptedPeer.QPN);
        assertThatThrownBy(bare::establish).hasMessageContaining("EINVAL");
        assertThat(client.hasEvent()).isFalse();
    }

    @Test
    @Rule({"CM-12", "CM-18"})
    void optionsOfThePathGoIntoTheRequestAndTheQueuePair() {
        id.close();
        peer.hear(Rej.class);
        CmId tuned = client.channel.createId();
        tuned.ackTimeout(21);
        tuned.typeOfService(0x20);
        tuned.resolveAddress(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT), CmWorld.SECOND);
        client.expect(CmEventType.ADDR_RESOLVED);
        client.createQp(tuned);
        tuned.resolveRoute(CmWorld.SECOND);
        client.expect(CmEventType.ROUTE_RESOLVED);
        // The path is known by now.
        tuned.typeOfService(0x40);
        tuned.connect(ConnectionParameters.USUAL);
        Heard first = peer.hear();
        Req asked = (Req) first.message();
        assertThat(asked.primary().ackTimeout()).isEqualTo(21);
        assertThat(asked.primary().trafficClass()).isEqualTo(0x20);
        Heard again = peer.hear();
        assertThat(again.message()).isEqualTo(asked);
        assertThat(again.millis() - first.millis()).isEqualTo(2 * 4_096 + 4_096);
        Rep rep = peer.reply(asked);
        say(new Rep(
                rep.localId(),
                rep.remoteId(),
                0,
                rep.localQpn(),
                0,
                rep.startingPsn(),
                0,
                1,
                1,
                31,
                0,
                false,
                7,
                false,
                rep.localCaGuid(),
                Octets.EMPTY));
        client.expect(CmEventType.ESTABLISHED);
        QpAttributes values = Objects.requireNonNull(tuned.qp()).query();
        // Its own, although the peer's ACK delay is larger.
        assertThat(values.timeout()).isEqualTo(21);
        assertThat(Objects.requireNonNull(values.addressVector()).trafficClass())
                .isEqualTo(0x20);
    }
}
