// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.EndedRequests;
import dev.verbatim.sim.Fate;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of requests that come when everything was said already: repeats that cross the answer, and what the network held back. */
class LateCopiesTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;

    @AutoClose
    private final CmWorld world = new CmWorld();

    private final CmWorld.End client = world.client;
    private final CmWorld.End server = world.server;
    private final ScriptedPeer peer = new ScriptedPeer(world.fabric);
    private final Gid far = server.device.gid();

    @BeforeEach
    void listen() {
        server.listen(0);
    }

    private Req req() {
        return peer.request(far).build();
    }

    private void say(CmMessage message) {
        peer.say(far, ScriptedPeer.TRANSACTION, message);
    }

    private CmId request(Req req) {
        say(req);
        return server.expect(CmEventType.CONNECT_REQUEST).id();
    }

    private int remembered() {
        return CmAgent.of(server.device).ended().count();
    }

    @Test
    @Rule("CM-13")
    void repeatThatCrossesTheRefusalKeepsNothingFromTheQueuePairsNextConnection() {
        Duration longerThanARepeatTakes = Duration.ofMillis(6_200);
        world.fabric.decideBy((from, to, packet) ->
                isRefusal(from, packet) ? Fate.delayed(longerThanARepeatTakes.toNanos()) : Fate.DELIVER);
        CmId first = world.connecting(USUAL);
        QueuePair qp = first.qp();
        assertThat(qp).isNotNull();
        server.expect(CmEventType.CONNECT_REQUEST).id().reject();
        // The request is repeated after 6144 ms, and the answer to that comes after what is asked next.
        CmEvent refused = client.expect(CmEventType.REJECTED);
        assertThat(refused.rejectReason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(world.nowMillis()).isEqualTo(6_200);
        first.close();

        CmId again = client.channel.createId();
        again.resolveAndConnect(server.address(CmWorld.PORT), CmWorld.SECOND, USUAL.withQpNumber(qp.number()));
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertThat(asked.peerAddress()).isEqualTo(again.localAddress());
        assertThat(server.hasEvent()).isFalse();
        asked.accept(USUAL.withQpNumber(0x99));
        client.expect(CmEventType.CONNECT_RESPONSE);
        again.establish();
        server.expect(CmEventType.ESTABLISHED);
        world.passMillis(60_000);
        assertThat(client.hasEvent()).isFalse();
        assertThat(server.hasEvent()).isFalse();
        asserted();
    }

    private boolean isRefusal(Gid from, Packet packet) {
        return from.equals(far)
                && packet.payload().lengthBytes() == Mad.BYTES
                && CmMessage.parse(Mad.parse(Octets.of(packet.payload()))) instanceof Rej;
    }

    @Test
    @Rule("CM-13")
    void refusalThatWasLostIsSaidAgainInTheSameWordsAsLongAsThePeerAsks() {
        request(req()).reject((byte) 1, (byte) 2);
        Heard refusal = peer.hear();
        for (int repeats = 0; repeats < 4; repeats++) {
            world.passMillis(6_144);
            say(req());
            assertThat(peer.hear().bytes()).isEqualTo(refusal.bytes());
        }
        assertThat(server.hasEvent()).isFalse();
        // After that nothing is known of it, and it is a request like any other.
        world.passMillis(8_193);
        assertThat(remembered()).isZero();
        request(req()).close();
        asserted();
    }

    @Test
    @Rule({"CM-13", "CM-21"})
    void whatTheManagerRefusedItselfStaysRefused() {
        Req nobody = peer.request(far).serviceId(0x0106_0000L + 99).build();
        say(nobody);
        Heard refusal = peer.hear();
        CmId late = server.channel.createId();
        late.bindAddress(server.address(99));
        late.listen(0);
        say(nobody);
        assertThat(peer.hear().bytes()).isEqualTo(refusal.bytes());
        assertThat(server.hasEvent()).isFalse();
        // Who asks anew is heard.
        request(peer.request(far)
                .serviceId(0x0106_0000L + 99)
                .startingPsn(ScriptedPeer.PSN + 1)
                .build());
        asserted();
    }

    @Test
    @Rule("CM-13")
    void answerThatWasTakenBackRefusesARepeatOfTheRequest() {
        CmId id = request(req());
        server.createQp(id);
        id.accept(USUAL);
        Rep lost = peer.hear(Rep.class);
        id.close();
        assertThat(peer.hear(Rej.class).message()).isEqualTo(Rej.MESSAGE_OTHER);
        // Whoever repeats the request has not heard of the answer, and the refusal of that says nothing to him.
        say(req());
        assertThat(peer.hear(Rej.class))
                .isEqualTo(new Rej(lost.localId(), ScriptedPeer.ID, Rej.MESSAGE_REQ, 28, Octets.EMPTY, Octets.EMPTY));
        assertThat(server.hasEvent()).isFalse();
        asserted();
    }

    @Test
    @Rule("CM-13")
    void copyOfAWithdrawnRequestIsSilence() {
        CmId id = request(req());
        byte[] guid = ByteBuffer.allocate(Long.BYTES).putLong(peer.port.guid()).array();
        say(new Rej(ScriptedPeer.ID, 0, Rej.MESSAGE_OTHER, 4, Octets.of(guid), Octets.EMPTY));
        assertThat(server.expect(CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.TIMEOUT);
        say(req());
        assertThat(peer.heardSince()).isEmpty();
        assertThat(server.hasEvent()).isFalse();
        id.close();
        say(req());
        assertThat(peer.heardSince()).isEmpty();
        asserted();
    }

    @Test
    @Rule("CM-13")
    void soManyAreRememberedAndTheOldestIsForgottenFirst() {
        long service = 0x0106_0000L + 99;
        for (int i = 0; i <= EndedRequests.MOST; i++) {
            say(peer.request(far).serviceId(service).localId(i).build());
        }
        assertThat(remembered()).isEqualTo(EndedRequests.MOST);
        peer.heardSince();
        CmId late = server.channel.createId();
        late.bindAddress(server.address(99));
        late.listen(0);
        say(peer.request(far).serviceId(service).localId(EndedRequests.MOST).build());
        assertThat(peer.heardSince()).containsExactly("rej");
        // Of the first nothing is known any more.
        request(peer.request(far).serviceId(service).localId(0).build());
        world.passMillis(10_000);
        assertThat(remembered()).isZero();
        asserted();
    }

    @Test
    void connectionThatIsOverLeavesTheQueuePairAlone() {
        CmId[] ends = world.connected();
        ends[0].disconnect();
        server.expect(CmEventType.DISCONNECTED);
        ends[1].disconnect();
        assertThat(ends[1].qp()).isNotNull();
        assertThat(ends[1].qp().state()).isEqualTo(QpState.ERR);
        assertThat(remembered()).isEqualTo(1);
        assertThat(CmAgent.of(client.device).ended().count()).isZero();
    }
}
