// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.ud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Datagrams to two peers over links that lose, repeat and reorder: each peer receives exactly the datagrams that the wire brought
 * it, whole, in that order and as often.
 */
class DatagramFaultsPropertiesTest {

    private static final int DATAGRAMS = 60;
    private static final int SLOT_BYTES = 300;
    private static final int RECEIVES = 100;
    private static final int KEY = 7;
    private static final QpCapabilities SIZES = new QpCapabilities(RECEIVES, RECEIVES, 2, 2, 0);
    private static final long ALL_THE_TIME = 1_000_000_000L;

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    @Rule({"UD-01", "ORD-30"})
    void eachPeerReceivesWhatTheWireBroughtIt(
            @ForAll long seed,
            @ForAll @IntRange(max = 300) int lost,
            @ForAll @IntRange(max = 200) int repeated,
            @ForAll @IntRange(max = 300) int late) {
        LinkFaults faults = LinkFaults.NONE.dropping(lost).duplicating(repeated).delaying(late, 5_000);
        LossyFabric fabric = new LossyFabric(seed, faults);
        RecordingTap tap = new RecordingTap();
        try (Verbatim door = Verbatim.over(fabric).tap(tap)) {
            Side sender = new Side(door.open("sender"), SIZES, null, QpType.UD);
            List<Side> peers = new ArrayList<>();
            List<AddressHandle> ways = new ArrayList<>();
            for (String name : new String[] {"one", "other"}) {
                Side peer = new Side(door.open(name), SIZES, null, QpType.UD);
                new UdReadiness(KEY).toRts(peer.qp);
                for (int i = 0; i < RECEIVES; i++) {
                    peer.qp.postRecv(ReceiveWorkRequest.of(i, peer.sge(i * SLOT_BYTES, SLOT_BYTES)));
                }
                peers.add(peer);
                ways.add(sender.pd.createAddressHandle(AddressVector.to(peer.device.gid())));
            }
            new UdReadiness(KEY).toRts(sender.qp);
            sender.bytes().put(0, Packets.pattern(0, DATAGRAMS + SLOT_BYTES));
            Random random = new Random(seed);
            List<Side> receivers = new ArrayList<>();
            for (int i = 0; i < DATAGRAMS; i++) {
                int to = random.nextInt(2);
                receivers.add(peers.get(to));
                int count = random.nextInt(SLOT_BYTES - Grh.BYTES + 1);
                sender.qp.postSend(SendWorkRequest.sendWithImmediate(i, i, sender.sge(i, count))
                        .to(ways.get(to), peers.get(to).qp.number(), KEY));
            }
            fabric.passNanos(ALL_THE_TIME);

            for (int i = 0; i < DATAGRAMS; i++) {
                Outcomes.assertThat(sender.sent()).isSuccess().hasId(i);
            }
            for (Side peer : peers) {
                check(peer, tap, receivers);
            }
        }
    }

    private static void check(Side peer, RecordingTap tap, List<Side> receivers) {
        var arrived = tap.events(TraceEvent.PacketReceived.class).stream()
                .filter(event -> event.device().equals(peer.device.name()))
                .map(event -> event.packet().toPacket())
                .toList();
        List<WorkCompletion> received = peer.recvCq.poll(RECEIVES);
        assertThat(received).hasSameSizeAs(arrived);
        for (int i = 0; i < received.size(); i++) {
            WorkCompletion completion = received.get(i);
            int number = arrived.get(i).immediate();
            assertThat(completion.immediate()).isEqualTo(number);
            assertThat(receivers.get(number)).isSameAs(peer);
            int count = arrived.get(i).payload().lengthBytes();
            Outcomes.assertThat(completion).isSuccess().hasId(i).hasByteLength(Grh.BYTES + count);
            byte[] bytes = new byte[count];
            peer.bytes().get(i * SLOT_BYTES + Grh.BYTES, bytes);
            assertThat(bytes).isEqualTo(Packets.pattern(number, count));
        }
        Outcomes.asserted();
    }
}
