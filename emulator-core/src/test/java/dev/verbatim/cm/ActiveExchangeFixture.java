// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** An end that connects, and a peer that answers what the test says. */
abstract class ActiveExchangeFixture {

    @AutoClose
    final CmWorld world = new CmWorld();

    final CmWorld.End client = world.client;
    final ScriptedPeer peer = new ScriptedPeer(world.fabric);
    final Gid near = client.device.gid();
    CmId id;
    Req req;
    long transaction;

    @BeforeEach
    void ask() {
        id = client.resolved(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT));
        id.connect(ConnectionParameters.USUAL
                .withPrivateData((byte) 5)
                .withResponderResources(4)
                .withInitiatorDepth(3)
                .withRetryCount(4)
                .withRnrRetryCount(2));
        Heard heard = peer.hear();
        req = (Req) heard.message();
        transaction = heard.transaction();
    }

    QueuePair qp() {
        return Objects.requireNonNull(id.qp());
    }

    void say(CmMessage message) {
        peer.say(near, transaction, message);
    }

    void establish() {
        say(peer.reply(req));
        client.expect(CmEventType.ESTABLISHED);
        peer.hear(Rtu.class);
    }
}
