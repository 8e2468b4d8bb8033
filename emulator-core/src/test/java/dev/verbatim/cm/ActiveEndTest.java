// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.Rej;
import org.junit.jupiter.api.Test;

/** The end of a connection, at the side that made it. */
class ActiveEndTest extends ActiveExchangeFixture {

    @Test
    @Rule({"CM-07", "CM-09", "CM-12"})
    void endOfThePeerIsAnsweredWhenTheApplicationKnows() {
        establish();
        // Not for this queue pair.
        peer.say(near, 0xd1, new Dreq(ScriptedPeer.ID, req.localId(), 0x123, Octets.EMPTY));
        assertThat(client.hasEvent()).isFalse();
        Dreq dreq = new Dreq(ScriptedPeer.ID, req.localId(), qp().number(), Octets.EMPTY);
        peer.say(near, 0xd2, dreq);
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isZero();
        peer.say(near, 0xd3, dreq);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(qp().state()).isEqualTo(QpState.RTS);
        id.disconnect();
        assertThat(qp().state()).isEqualTo(QpState.ERR);
        Heard drep = peer.hear();
        assertThat(drep.message()).isEqualTo(new Drep(req.localId(), ScriptedPeer.ID, Octets.EMPTY));
        assertThat(drep.transaction()).isEqualTo(0xd2);
        long overMillis = world.nowMillis();
        // In TIMEWAIT the same answer, afterwards one that belongs to nobody.
        peer.say(near, 0xd4, dreq);
        assertThat(peer.hear().bytes()).isEqualTo(drep.bytes());
        client.expect(CmEventType.TIMEWAIT_EXIT);
        assertThat(world.nowMillis() - overMillis).isEqualTo(2_048);
        peer.say(near, 0xd5, dreq);
        Heard last = peer.hear();
        assertThat(last.message()).isEqualTo(drep.message());
        assertThat(last.transaction()).isEqualTo(0xd5);
        id.disconnect();
        id.close();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-12", "CM-15"})
    void endThatIsNotAnsweredIsRepeated() {
        establish();
        id.disconnect();
        Heard first = peer.hear();
        assertThat(first.message()).isEqualTo(new Dreq(req.localId(), ScriptedPeer.ID, ScriptedPeer.QPN, Octets.EMPTY));
        assertThat(first.transaction()).isEqualTo(transaction);
        for (int sent = 2; sent <= 16; sent++) {
            Heard again = peer.hear();
            assertThat(again.bytes()).isEqualTo(first.bytes());
            assertThat(again.millis() - first.millis()).isEqualTo((sent - 1) * 6_144L);
        }
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isEqualTo(-110);
        assertThat(client.expect(CmEventType.TIMEWAIT_EXIT).status()).isZero();
        assertThat(world.nowMillis() - first.millis()).isEqualTo(16 * 6_144L + 2_048);
    }

    @Test
    @Rule("CM-07")
    void crossingEndsAreAnsweredOnBothSides() {
        establish();
        id.disconnect();
        peer.hear(Dreq.class);
        peer.say(near, 0xc1, new Dreq(ScriptedPeer.ID, req.localId(), qp().number(), Octets.EMPTY));
        client.expect(CmEventType.DISCONNECTED);
        assertThat(peer.heardSince()).isEmpty();
        id.disconnect();
        Heard drep = peer.hear();
        assertThat(drep.message()).isInstanceOf(Drep.class);
        assertThat(drep.transaction()).isEqualTo(0xc1);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        assertThat(client.hasEvent()).isFalse();
    }

    @Test
    @Rule({"CM-07", "CM-09"})
    void refusalOfAConnectionThatStandsEndsIt() {
        establish();
        // Only who knows both numbers.
        say(new Rej(ScriptedPeer.ID + 1, req.localId(), Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY));
        say(new Rej(0, req.localId(), Rej.MESSAGE_REQ, 8, Octets.EMPTY, Octets.EMPTY));
        assertThat(client.hasEvent()).isFalse();
        say(new Rej(ScriptedPeer.ID, req.localId(), Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY));
        client.expect(CmEventType.REJECTED);
        assertThat(qp().state()).isEqualTo(QpState.ERR);
        world.passMillis(10_000);
        assertThat(client.hasEvent()).isFalse();
        assertThat(peer.heardSince()).isEmpty();
    }

    @Test
    @Rule("CM-09")
    void strangerWithTheRightNumbersIsNotHeard() {
        establish();
        ScriptedPeer stranger = new ScriptedPeer(world.fabric);
        stranger.say(
                near, 1, new Rej(ScriptedPeer.ID, req.localId(), Rej.MESSAGE_OTHER, 28, Octets.EMPTY, Octets.EMPTY));
        stranger.say(near, 1, new Dreq(ScriptedPeer.ID, req.localId(), qp().number(), Octets.EMPTY));
        assertThat(client.hasEvent()).isFalse();
        assertThat(stranger.hear(Drep.class)).isEqualTo(new Drep(req.localId(), ScriptedPeer.ID, Octets.EMPTY));
    }

    @Test
    @Rule("CM-07")
    void closedConnectionIsEndedOnce() {
        establish();
        id.close();
        peer.hear(Dreq.class);
        world.passMillis(200_000);
        assertThat(peer.heardSince()).isEmpty();
        assertThat(client.leftovers()).isEmpty();
    }
}
