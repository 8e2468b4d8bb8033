// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.roce.RoceEnd.usual;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.Opcode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that are injected, and strangers who send whatever they like. */
@Timeout(600)
class RoceFaultTest {

    private static final InetAddress ONE = LoopbackAddress.of(31);
    private static final InetAddress OTHER = LoopbackAddress.of(32);
    private static final InetAddress STRANGER = LoopbackAddress.of(33);
    private static final List<String> EVERY_FAULT =
            List.of("loses", "duplicates", "delays by", "lets others overtake", "damages", "is cut for");
    private static final RcConnection QUICK =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_1024).withRetries(14, 7, 7, 1);

    private final RecordingTap tap = new RecordingTap();
    private RoceEnd a;
    private RoceEnd b;
    private Side left;
    private Side right;

    /** The faults are at the responder's device, as they are where the requester is a program in C. */
    private void connect(RoceOptions responder) {
        a = RoceEnd.open(usual(ONE));
        b = RoceEnd.open(responder, tap);
        left = a.side(QpCapabilities.USUAL, QpType.RC);
        right = b.side(QpCapabilities.USUAL, QpType.RC);
        QUICK.join(left.qp, right.qp);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private void assertFaulted(String words) {
        assertThat(tap.events(TraceEvent.LinkFaulted.class))
                .anySatisfy(event -> assertThat(event.fault()).contains(words));
    }

    @Test
    void acknowledgementOfTheThirdAtomicIsLostAndTheAtomicIsDoneOnce() {
        AtomicInteger answers = new AtomicInteger();
        connect(usual(OTHER)
                .withFaults((from, to, packet) ->
                        packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE && answers.incrementAndGet() == 3
                                ? Fate.DROP
                                : Fate.DELIVER));
        for (int i = 0; i < 5; i++) {
            left.qp.postSend(SendWorkRequest.fetchAndAdd(i, right.address(0), right.rkey(), 1, left.sge(8 * i, 8)));
            assertThat(left.sent()).isSuccess();
            assertThat(left.bytes().getLong(8 * i)).isEqualTo(i);
        }
        assertThat(right.bytes().getLong(0)).isEqualTo(5);
        assertThat(answers).hasValue(6);
        assertFaulted("loses");
    }

    private boolean hasSeen(List<String> faults) {
        Set<String> seen = tap.events(TraceEvent.LinkFaulted.class).stream()
                .map(TraceEvent.LinkFaulted::fault)
                .collect(Collectors.toSet());
        return faults.stream().allMatch(words -> seen.stream().anyMatch(fault -> fault.contains(words)));
    }

    /**
     * Every kind of fault at once, by odds, and all that was asked for is done all the same. The odds are such that eight tries of one
     * request do not all fail: what comes when depends on time, so the seed alone does not tell which packets are lost.
     */
    @Test
    void everyFaultByOddsIsRepairedByTheTransport() {
        LinkFaults odds = LinkFaults.NONE
                .dropping(10)
                .duplicating(20)
                .delaying(20, 2_000_000)
                .reordering(15)
                .corrupting(10)
                .cutting(1, 3_000_000);
        connect(usual(OTHER).withFaults(odds, 5));
        Random random = new Random(5);
        for (int i = 0; i < 200 || !hasSeen(EVERY_FAULT); i++) {
            left.bytes().putLong(0, random.nextLong());
            left.qp.postSend(SendWorkRequest.write(1, right.address(8), right.rkey(), left.sge(0, 3000)));
            left.qp.postSend(SendWorkRequest.fetchAndAdd(2, right.address(0), right.rkey(), 1, left.sge(4096, 8)));
            assertThat(left.sent()).isSuccess();
            assertThat(left.sent()).isSuccess();
            assertThat(left.bytes().getLong(4096)).isEqualTo(i);
            assertThat(right.bytes().getLong(8)).isEqualTo(left.bytes().getLong(0));
        }
        assertThat(b.fabric.drops(OTHER)).containsKey("ICRC");
    }

    @Test
    void strangersDatagramsAreCountedByReasonAndHarmNobody() throws Exception {
        connect(usual(OTHER));
        Random random = new Random(1);
        try (DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress(STRANGER, 0))) {
            for (int i = 0; i < 500; i++) {
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                stranger.send(ByteBuffer.wrap(bytes), new InetSocketAddress(OTHER, 4791));
            }
            stranger.send(ByteBuffer.allocate(9000), new InetSocketAddress(OTHER, 4791));
        }
        left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 5000)));
        assertThat(left.sent()).isSuccess();
        // One random datagram of 65,536 has an ICRC that is right for some IPv4 identification, and is malformed
        // instead.
        assertThat(b.fabric.drops(OTHER)).containsKeys("ICRC", "TOO_SHORT", "TOO_LONG");
        assertThat(Set.of("ICRC", "MALFORMED", "TOO_SHORT", "TOO_LONG"))
                .containsAll(b.fabric.drops(OTHER).keySet());
        assertThat(tap.events(TraceEvent.CarrierReported.class))
                .filteredOn(event -> !event.reason().equals("WINDOW"))
                .anySatisfy(event -> assertThat(event.reason()).isEqualTo("ICRC"))
                .allSatisfy(event -> assertThat(event.peer()).isEqualTo(Gid.of(STRANGER)));
    }

    /** It knows the number, the key and the address, and writes from an address that is not the peer's. */
    @Test
    void rightPacketFromAnotherAddressIsDropped() {
        connect(usual(OTHER));
        try (RoceEnd c = RoceEnd.open(usual(STRANGER))) {
            Side intruder = c.side(QpCapabilities.USUAL, QpType.RC);
            RcConnection.Endpoint victim = new RcConnection.Endpoint(Gid.of(OTHER), right.qp.number(), 0);
            QUICK.readyToReceive(intruder.qp, victim);
            QUICK.readyToSend(intruder.qp, left.qp.number());
            intruder.bytes().putLong(0, 1);
            intruder.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), intruder.sge(0, 8)));
            assertThat(intruder.sent().isSuccess()).isFalse();
            assertThat(right.bytes().getLong(0)).isZero();
            assertThat(tap.events(TraceEvent.PacketDropped.class))
                    .anySatisfy(event -> assertThat(event.reason().sentence()).contains("not the peer"));
        }
    }

    @Test
    void numbersOfQueuePairsDoNotCountUp() {
        connect(usual(OTHER));
        assertThat(right.newQueuePair().number()).isNotEqualTo(right.qp.number() + 1);
    }

    /** Who has seen some first PSNs and IDs of connections, all from one sequence, does not know the next. */
    @Test
    void numbersOfConnectionsAreDisguised() {
        connect(usual(OTHER));
        long near = disguised(a.device);
        assertThat(near).isNotEqualTo(1).isNotEqualTo(disguised(b.device));
    }

    private static long disguised(Device device) {
        return ((ManagedDevice) device).managementPort().disguise().applyAsLong(1);
    }
}
