// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.ReqBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A peer that knows no states: it says what the test has it say, and keeps what it hears. */
final class ScriptedPeer implements ManagementAgent {

    static final int ID = 0x0102_0300;
    static final int QPN = 0x117;
    static final int PSN = 0x67_f472;
    static final int SOURCE_PORT = 58_965;
    static final long TRANSACTION = 0x1122_3344_5566_7788L;

    /** A datagram, and when it came. */
    record Heard(long millis, Octets bytes) {
        CmMessage message() {
            return CmMessage.parse(Mad.parse(bytes));
        }

        long transaction() {
            return Mad.parse(bytes).header().transactionId();
        }
    }

    final EmulatedDevice device;
    final ManagementPort port;
    final ArrayDeque<Heard> heard = new ArrayDeque<>();
    private final LossyFabric fabric;

    ScriptedPeer(LossyFabric fabric) {
        this.fabric = fabric;
        this.device = EmulatedDevice.open(fabric, "scripted", fabric.freshGuid(), DeviceProfile.STRICT_IBTA, null);
        this.port = device.managementPort();
        assertThat(port.agent(ignored -> this)).isSameAs(this);
    }

    @Override
    public void received(Gid source, Octets mad) {
        heard.add(new Heard(fabric.clock().nanoTime() / 1_000_000, mad));
    }

    @Override
    public void deviceClosed() {}

    /** What is under way arrives, and what is sent because of that; no timer expires. */
    void settle() {
        fabric.passNanos(100_000);
    }

    /** Says it, and lets it arrive. */
    void say(Gid to, long transaction, CmMessage message) {
        device.context()
                .lane()
                .call(() -> assertThat(port.send(to, message.emit(transaction))).isTrue());
        settle();
    }

    /** Waits for a datagram. */
    Heard hear() {
        for (int steps = 0; heard.isEmpty() && steps < 1_000; steps++) {
            fabric.step();
        }
        assertThat(heard).isNotEmpty();
        asserted();
        return heard.removeFirst();
    }

    /** Waits for that message. */
    <M extends CmMessage> M hear(Class<M> kind) {
        CmMessage message = hear().message();
        assertThat(message).isInstanceOf(kind);
        return kind.cast(message);
    }

    /** What was heard since, in short: REJ(28), RTU ...; forgets it. */
    List<String> heardSince() {
        settle();
        List<String> words = new ArrayList<>();
        for (Heard each : heard) {
            words.add(each.message().attribute().name().toLowerCase(Locale.ROOT));
        }
        heard.clear();
        return words;
    }

    /** A request as the measured one, from this device to another. */
    ReqBuilder request(Gid to) {
        Path path = new Path(
                Path.PERMISSIVE_LID,
                Path.PERMISSIVE_LID,
                device.gid(),
                to,
                Negotiation.flowLabel(SOURCE_PORT, CmWorld.PORT),
                0,
                64,
                0,
                0,
                false,
                19);
        return Req.builder()
                .localId(ID)
                .serviceId(0x0106_0000L + CmWorld.PORT)
                .localCaGuid(port.guid())
                .localQpn(QPN)
                .responderResources(3)
                .initiatorDepth(2)
                .remoteResponseTimeout(20)
                .startingPsn(PSN)
                .localResponseTimeout(20)
                .retryCount(5)
                .partitionKey(0xffff)
                .pathMtu(3)
                .rnrRetryCount(6)
                .maxCmRetries(15)
                .primary(path)
                .alternate(Path.NONE)
                .privateData(IpHeader.of(SOURCE_PORT, device.gid(), to).emit(Octets.of((byte) 7)));
    }

    /** Accepts a request. */
    Rep reply(Req req) {
        return new Rep(
                ID, req.localId(), 0, QPN, 0, PSN, 0, 2, 3, 15, 0, false, 6, false, port.guid(), Octets.of((byte) 9));
    }
}
