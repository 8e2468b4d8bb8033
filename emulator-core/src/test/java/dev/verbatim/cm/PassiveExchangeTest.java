// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.ReqBuilder;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The side that is asked, by a peer who says what it is told to: datagram for datagram as measured of Linux. */
class PassiveExchangeTest {

    @AutoClose
    private final CmWorld world = new CmWorld();

    private final CmWorld.End server = world.server;
    private final ScriptedPeer peer = new ScriptedPeer(world.fabric);
    private final Gid far = server.device.gid();
    private CmId listener;

    @BeforeEach
    void listen() {
        listener = server.listen(2);
    }

    private void say(CmMessage message) {
        peer.say(far, ScriptedPeer.TRANSACTION, message);
    }

    private CmId request() {
        return request(ScriptedPeer.PSN);
    }

    private CmId request(int startingPsn) {
        say(peer.request(far).startingPsn(startingPsn).build());
        return server.expect(CmEventType.CONNECT_REQUEST).id();
    }

    private Rep accept(CmId id) {
        server.createQp(id);
        id.accept(ConnectionParameters.USUAL.withRnrRetryCount(3).withPrivateData((byte) 8));
        return peer.hear(Rep.class);
    }

    private Dreq end(Rep rep) {
        return new Dreq(ScriptedPeer.ID, rep.localId(), rep.localQpn(), Octets.EMPTY);
    }

    private static QueuePair qp(CmId id) {
        QueuePair qp = id.qp();
        assertThat(qp).isNotNull();
        return qp;
    }

    @Test
    @Rule({"CM-03", "CM-15"})
    void requestIsShownInTheReceiversTerms() {
        say(peer.request(far).build());
        CmEvent event = server.expect(CmEventType.CONNECT_REQUEST);
        assertThat(event.status()).isZero();
        assertThat(event.listenId()).isSameAs(listener);
        assertThat(event.privateData()).isEqualTo(Arrays.copyOf(new byte[] {7}, 56));
        assertThat(event.parameters().toString())
                .isEqualTo("responder_resources=2 initiator_depth=3 flow_control=false retry_count=5 rnr_retry_count=6"
                        + " srq=false qp_num=" + ScriptedPeer.QPN + " private_data=56 bytes");
        assertThat(event.id().peerAddress())
                .isEqualTo(new InetSocketAddress(peer.device.gid().toInetAddress(), ScriptedPeer.SOURCE_PORT));
        assertThat(event.id().localAddress()).isEqualTo(server.address(CmWorld.PORT));
        assertThat(peer.heardSince()).isEmpty();
    }

    @Test
    @Rule({"CM-08", "CM-10", "CM-18", "CM-19"})
    void acceptedRequestIsAnsweredWithAQueuePairThatIsReady() {
        CmId id = request();
        QueuePair qp = server.createQp(id);
        assertThat(qp.state()).isEqualTo(QpState.INIT);
        assertThat(qp.query().accessFlags() & AccessFlags.REMOTE_READ).isNotZero();
        id.accept(ConnectionParameters.USUAL.withRnrRetryCount(3).withPrivateData((byte) 8));
        QpAttributes values = qp.query();
        assertThat(values.state()).isEqualTo(QpState.RTS);
        Heard heard = peer.hear();
        assertThat(heard.transaction()).isEqualTo(ScriptedPeer.TRANSACTION);
        Rep rep = (Rep) heard.message();
        assertThat(rep)
                .isEqualTo(new Rep(
                        rep.localId(),
                        ScriptedPeer.ID,
                        0,
                        qp.number(),
                        0,
                        values.rqPsn(),
                        0,
                        2,
                        3,
                        15,
                        0,
                        false,
                        3,
                        false,
                        server.device.query().guid(),
                        Octets.of((byte) 8)));
        assertThat(values.sqPsn()).isEqualTo(ScriptedPeer.PSN);
        assertThat(values.destinationQp()).isEqualTo(ScriptedPeer.QPN);
        assertThat(values.maxDestRdAtomic()).isEqualTo(2);
        assertThat(values.maxRdAtomic()).isEqualTo(3);
        assertThat(values.timeout()).isEqualTo(19);
        assertThat(values.retryCount()).isEqualTo(5);
        assertThat(values.rnrRetry()).isEqualTo(6);
        assertThat(values.pathMtu().number()).isEqualTo(3);
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.of((byte) 1)));
        CmEvent established = server.expect(CmEventType.ESTABLISHED);
        assertThat(established.privateData()).isEmpty();
        assertThat(established.parameters().qpNumber()).isZero();
        // Neither of these means anything any more.
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        say(peer.request(far).build());
        world.passMillis(20_000);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(server.hasEvent()).isFalse();
    }

    @Test
    @Rule({"CM-08", "CM-10"})
    void repeatedRequestIsToldToWait() {
        CmId id = request();
        // Whatever else it says now.
        peer.say(far, 99, peer.request(far).localQpn(0x999).serviceId(1).build());
        Heard mra = peer.hear();
        int own = ((Mra) mra.message()).localId();
        assertThat(mra.bytes().toString())
                .isEqualTo("010702030000000011223344556677880011000000000000"
                        + String.format("%08x", own)
                        + "01020300"
                        + "00c0"
                        + "00".repeat(222));
        assertThat(server.hasEvent()).isFalse();
        assertThat(accept(id).localId()).isEqualTo(own);
    }

    @Test
    @Rule({"CM-08", "CM-10", "CM-12", "CM-15"})
    void unconfirmedAnswerIsRepeatedAsLongAsThePeerAskedFor() {
        CmId id = request();
        server.createQp(id);
        id.accept(ConnectionParameters.USUAL);
        Heard first = peer.hear();
        say(peer.request(far).build());
        assertThat(peer.heardSince()).isEmpty();
        for (int sent = 2; sent <= 16; sent++) {
            Heard again = peer.hear();
            assertThat(again.bytes()).isEqualTo(first.bytes());
            assertThat(again.millis() - first.millis()).isEqualTo((sent - 1) * 4_096L);
        }
        assertThat(server.expect(CmEventType.UNREACHABLE).status()).isEqualTo(-110);
        assertThat(world.nowMillis() - first.millis()).isEqualTo(16 * 4_096L);
        assertThat(qp(id).state()).isEqualTo(QpState.RTS);
        id.close();
        assertThatThrownBy(() -> id.accept(ConnectionParameters.USUAL)).hasMessageContaining("ENOENT");
    }

    @Test
    @Rule({"CM-08", "CM-12"})
    void whoConfirmsLaterSaysSo() {
        CmId id = request();
        Rep rep = accept(id);
        long then = world.nowMillis();
        say(new Mra(ScriptedPeer.ID, rep.localId(), Mra.MESSAGE_REP, 22, Octets.EMPTY));
        assertThat(peer.hear().millis() - then).isEqualTo(16_384 + 2_048L);
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        server.expect(CmEventType.ESTABLISHED);
    }

    @Test
    @Rule("CM-08")
    void dataThatComesBeforeTheConfirmationCountsAsOne() {
        CmId id = request();
        assertThatThrownBy(id::notifyEstablished).hasMessageContaining("EINVAL");
        accept(id);
        id.notifyEstablished();
        server.expect(CmEventType.ESTABLISHED);
        assertThatThrownBy(id::notifyEstablished).hasMessageContaining("EISCONN");
    }

    @Test
    @Rule("CM-08")
    void endMayComeBeforeTheConfirmation() {
        CmId id = request();
        Rep rep = accept(id);
        say(end(rep));
        server.expect(CmEventType.DISCONNECTED);
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        assertThat(server.hasEvent()).isFalse();
        id.disconnect();
        peer.hear(Drep.class);
        server.expect(CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    @Rule({"CM-08", "CM-12", "CM-15"})
    void acceptedConnectionIsEndedAtThePeersPace() {
        CmId id = request();
        Rep rep = accept(id);
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        server.expect(CmEventType.ESTABLISHED);
        id.disconnect();
        Heard first = peer.hear();
        assertThat(first.message()).isEqualTo(new Dreq(rep.localId(), ScriptedPeer.ID, ScriptedPeer.QPN, Octets.EMPTY));
        assertThat(peer.hear().millis() - first.millis()).isEqualTo(4_096);
        say(new Drep(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        assertThat(server.expect(CmEventType.DISCONNECTED).status()).isZero();
        long then = world.nowMillis();
        server.expect(CmEventType.TIMEWAIT_EXIT);
        assertThat(world.nowMillis() - then).isEqualTo(2_048);
    }

    @Test
    @Rule({"CM-08", "CM-21"})
    void refusalIsTheMeasuredOneByteForByte() {
        CmId id = request();
        id.reject((byte) 'A', (byte) 'B', (byte) 'C', (byte) 'D');
        Heard rej = peer.hear();
        int own = ((Rej) rej.message()).localId();
        assertThat(own).isNotZero();
        assertThat(rej.bytes().toString())
                .isEqualTo("010702030000000011223344556677880012000000000000"
                        + String.format("%08x", own)
                        + "01020300"
                        + "0000001c"
                        + "00".repeat(72)
                        + "41424344"
                        + "00".repeat(144));
        assertThatThrownBy(() -> id.accept(ConnectionParameters.USUAL)).hasMessageContaining("EINVAL");
        assertThatThrownBy(id::reject).hasMessageContaining("EINVAL");
        id.close();
        assertThat(peer.heardSince()).isEmpty();
    }

    @Test
    @Rule({"CM-02", "CM-04", "CM-21"})
    void nobodyListensByteForByte() {
        say(peer.request(far).serviceId(0x0106_0001L).build());
        assertThat(peer.hear().bytes().toString())
                .isEqualTo("010702030000000011223344556677880012000000000000"
                        + "00000000"
                        + "01020300"
                        + "00000008"
                        + "00".repeat(220));
        // Port spaces are separate.
        say(peer.request(far).serviceId(0x0111_0000L + CmWorld.PORT).build());
        assertThat(peer.hear(Rej.class).reason()).isEqualTo(8);
        listener.close();
        say(peer.request(far).build());
        assertThat(peer.hear(Rej.class).reason()).isEqualTo(8);
        assertThat(server.leftovers()).isEmpty();
    }

    private void assertRefused(ReqBuilder request, int reason, Octets additional) {
        say(request.build());
        assertThat(peer.hear(Rej.class))
                .isEqualTo(new Rej(0, ScriptedPeer.ID, Rej.MESSAGE_REQ, reason, additional, Octets.EMPTY));
        assertThat(server.hasEvent()).isFalse();
    }

    private static Octets octets(Gid gid) {
        return Octets.of(ByteBuffer.allocate(16)
                .putLong(gid.prefix())
                .putLong(gid.interfaceId())
                .array());
    }

    private Path path(Gid from, Gid to) {
        return new Path(0xffff, 0xffff, from, to, 0, 0, 64, 0, 0, false, 19);
    }

    @Test
    @Rule({"CM-03", "CM-04", "CM-21"})
    void requestsThatDoNotFitAreRefusedInTheOrderOfTheChecks() {
        Gid own = peer.device.gid();
        Gid other = Gid.ofGuid(0x4711);
        Path foreign = path(own, other);
        Octets user = Octets.of((byte) 1);
        assertRefused(peer.request(far).primary(foreign).alternate(path(own, far)), 12, octets(far));
        assertRefused(peer.request(far).partitionKey(0x1234).transportType(1), 12, octets(far));
        assertRefused(peer.request(far).alternate(path(own, far)).transportType(1), 18, octets(far));
        assertRefused(peer.request(far).primary(path(other, far)), 28, Octets.EMPTY);
        for (IpHeader header : List.of(
                new IpHeader(0, 1, 6, 1, own, far),
                new IpHeader(1, 0, 6, 1, own, far),
                new IpHeader(0, 0, 5, 1, own, far),
                new IpHeader(0, 0, 4, 1, own, far),
                new IpHeader(0, 0, 6, 1, other, far),
                new IpHeader(0, 0, 6, 1, own, other))) {
            assertRefused(peer.request(far).privateData(header.emit(user)).pathMtu(0), 28, Octets.EMPTY);
        }
        for (int transport = 1; transport <= 3; transport++) {
            assertRefused(peer.request(far).transportType(transport), 28, Octets.EMPTY);
        }
        assertRefused(peer.request(far).localQpn(0), 28, Octets.EMPTY);
        assertRefused(peer.request(far).localQpn(1), 28, Octets.EMPTY);
        int mtu = server.device.queryPort(1).activeMtu().number();
        for (int code : new int[] {0, mtu + 1, 6, 15}) {
            assertRefused(peer.request(far).pathMtu(code), 26, Octets.of((byte) mtu));
        }
        // A limited member of the partition, and the number 0, are all right.
        say(peer.request(far).partitionKey(0x7fff).localId(0).build());
        server.expect(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @Rule({"CM-11", "CM-21"})
    void rebootedPeerIsRefusedOnceAndTheOldConnectionEnded() {
        CmId id = request();
        Rep rep = accept(id);
        say(new Rtu(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        server.expect(CmEventType.ESTABLISHED);
        Req anew = peer.request(far).localId(0x777).build();
        say(anew);
        assertThat(peer.hear(Rej.class)).isEqualTo(new Rej(0, 0x777, Rej.MESSAGE_REQ, 10, Octets.EMPTY, Octets.EMPTY));
        assertThat(peer.hear(Dreq.class).remoteId()).isEqualTo(ScriptedPeer.ID);
        assertThat(qp(id).state()).isEqualTo(QpState.RTS);
        say(new Drep(ScriptedPeer.ID, rep.localId(), Octets.EMPTY));
        server.expect(CmEventType.DISCONNECTED);
        // The old one is in TIMEWAIT: its numbers are free.
        say(peer.request(far).startingPsn(1).build());
        server.expect(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @Rule({"CM-08", "CM-21"})
    void closedRequestAndClosedAnswerAreRefused() {
        request().close();
        assertThat(peer.hear(Rej.class).message()).isEqualTo(Rej.MESSAGE_REQ);
        CmId id = request(1);
        Rep rep = accept(id);
        id.close();
        assertThat(peer.hear(Rej.class))
                .isEqualTo(new Rej(rep.localId(), ScriptedPeer.ID, Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY));
        world.passMillis(100_000);
        assertThat(peer.heardSince()).isEmpty();
        listener.close();
        assertThat(server.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-08", "CM-09", "CM-15"})
    void whoGaveUpIsAnEventAndCannotBeAccepted() {
        CmId id = request();
        server.createQp(id);
        Octets guid = Octets.of(ByteBuffer.allocate(8).putLong(peer.port.guid()).array());
        say(new Rej(ScriptedPeer.ID, 0, Rej.MESSAGE_OTHER, 4, Octets.of((byte) 1), Octets.EMPTY));
        say(new Rej(ScriptedPeer.ID + 1, 0, Rej.MESSAGE_OTHER, 4, guid, Octets.EMPTY));
        assertThat(id.identifier().exchange().isRequest()).isTrue();
        say(new Rej(ScriptedPeer.ID, 0, Rej.MESSAGE_OTHER, 4, guid, Octets.EMPTY));
        CmEvent event = server.expect(CmEventType.REJECTED);
        assertThat(event.id()).isSameAs(id);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.TIMEOUT);
        assertThatThrownBy(() -> id.accept(ConnectionParameters.USUAL))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNABORTED));
        assertThatThrownBy(id::reject).hasMessageContaining("ECONNABORTED");
        assertThat(peer.heardSince()).isEmpty();
        id.close();
        assertThat(peer.heardSince()).isEmpty();
    }

    @Test
    @Rule({"CM-08", "CM-15"})
    void whoGivesUpAfterTheAnswerIsRejected() {
        CmId id = request();
        accept(id);
        Octets guid = Octets.of(ByteBuffer.allocate(8).putLong(peer.port.guid()).array());
        say(new Rej(ScriptedPeer.ID, 0, Rej.MESSAGE_OTHER, 4, guid, Octets.EMPTY));
        CmEvent event = server.expect(CmEventType.REJECTED);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.TIMEOUT);
        assertThat(qp(id).state()).isEqualTo(QpState.ERR);
        world.passMillis(100_000);
        assertThat(peer.heardSince()).isEmpty();
    }

    @Test
    @Rule({"CM-10", "CM-17"})
    void requestForWhichThereIsNoRoomIsLost() {
        say(peer.request(far).localId(1).localQpn(0x101).build());
        say(peer.request(far).localId(2).localQpn(0x102).build());
        say(peer.request(far).localId(3).localQpn(0x103).build());
        say(peer.request(far).localId(1).localQpn(0x101).build());
        assertThat(peer.heardSince()).containsExactly("mra");
        server.expect(CmEventType.CONNECT_REQUEST).id().close();
        assertThat(peer.heardSince()).containsExactly("rej");
        // Its repeat finds room.
        say(peer.request(far).localId(3).localQpn(0x103).build());
        listener.close();
        assertThat(peer.heardSince()).containsExactly("rej", "rej");
        assertThat(server.hasEvent()).isFalse();
        assertThat(server.leftovers()).isEmpty();
    }

    @Test
    @Rule("CM-09")
    void messagesForNobodyAreNotAnsweredButAnEnd() {
        int unknown = 0x0bad_cafe;
        say(new Rtu(1, unknown, Octets.EMPTY));
        say(new Drep(1, unknown, Octets.EMPTY));
        say(new Mra(1, unknown, Mra.MESSAGE_REQ, 20, Octets.EMPTY));
        say(new Rej(1, unknown, Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY));
        say(peer.reply(peer.request(far).localId(unknown).build()));
        assertThat(peer.heardSince()).isEmpty();
        say(new Dreq(1, unknown, 5, Octets.EMPTY));
        Heard drep = peer.hear();
        assertThat(drep.message()).isEqualTo(new Drep(unknown, 1, Octets.EMPTY));
        assertThat(drep.transaction()).isEqualTo(ScriptedPeer.TRANSACTION);
        assertThat(server.hasEvent()).isFalse();
    }

    @Test
    @Rule("CM-12")
    void peersTimeoutIsBounded() {
        say(peer.request(far).localResponseTimeout(31).maxCmRetries(0).build());
        CmId id = server.expect(CmEventType.CONNECT_REQUEST).id();
        accept(id);
        long then = world.nowMillis();
        server.expect(CmEventType.UNREACHABLE);
        assertThat(world.nowMillis() - then).isEqualTo(65_536);
    }
}
