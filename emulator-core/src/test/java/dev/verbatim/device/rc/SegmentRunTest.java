// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Tries;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.SegmentRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether packets cross one by one or in runs, nobody can tell: not on the wire, not in memory, not by completions, not in traces. */
class SegmentRunTest {

    private static final int REGION_BYTES = 1 << 22;

    /** What is read lies from here on, and what reads bring: nothing else is put there, so its time does not matter. */
    private static final int UPPER_HALF = 1 << 21;

    /** An odd number whose multiples differ in all of their bytes. */
    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;

    private static final int PROGRAMS = Tries.of("segments", 16, 40, 400);
    private static final int READ = 5;
    private static final Pattern ADDRESS = Pattern.compile("0x(7[ef][0-9a-f]{10})");
    private static final int IDLE_TURNS = 200;

    /** Carries as the fabric within does, and writes down what comes to each device, packet by packet. */
    private static final class Watched implements Fabric {

        private final Fabric carrier;
        private final List<List<String>> seen = new ArrayList<>();
        private Runnable atMessage = () -> {};
        private int messagesLeft;
        private int runs;

        Watched(int mostPacketsOfRun) {
            this.carrier = new InProcessFabric(mostPacketsOfRun);
        }

        @Override
        public FabricPort attach(Gid gid, PacketSink sink) {
            List<String> own = new ArrayList<>();
            seen.add(own);
            return carrier.attach(gid, (link, packet) -> receive(sink, link, packet, own));
        }

        private void receive(PacketSink sink, Link link, Packet packet, List<String> own) {
            Packet part = new Packet();
            for (int i = 0; i < packet.packets(); i++) {
                if (packet.packets() > 1) {
                    SegmentRun.part(packet, i, part);
                }
                PacketRecord shown = PacketRecord.of(packet.packets() > 1 ? part : packet);
                // Its message number tells how far the peer was when it was made.
                own.add(shown.toString().replaceAll(" msn=\\d+", "") + " "
                        + shown.payload().hashCode());
            }
            runs += packet.packets() > 1 ? 1 : 0;
            if (packet.opcode().isRequest() && packet.opcode().startsMessage() && --messagesLeft == 0) {
                atMessage.run();
            }
            sink.receive(link, packet);
        }

        @Override
        public long freshGuid() {
            return carrier.freshGuid();
        }

        @Override
        public void close() {
            carrier.close();
        }
    }

    /** What could be seen of a program. */
    private record Seen(
            List<List<String>> packets,
            List<String> completions,
            List<Long> memory,
            List<String> trace,
            boolean isEachPacketCounted) {

        boolean allSucceeded() {
            return !completions.isEmpty() && completions.stream().allMatch(line -> line.contains(" SUCCESS "));
        }
    }

    @Test
    @Tag("smoke")
    void programsCannotTell() {
        int runs = 0;
        for (int seed = 0; seed < PROGRAMS; seed++) {
            Watched single = new Watched(1);
            Watched many = new Watched(SegmentRun.MOST_PACKETS);
            Seen expected = run(seed, single, null);
            assertAlike(seed, expected, run(seed, many, null));
            assertThat(single.runs).isZero();
            runs += many.runs;
        }
        assertThat(runs).isGreaterThan(PROGRAMS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void tracesCannotTell(int watched) {
        for (int seed = 0; seed < PROGRAMS / 4; seed++) {
            Seen expected = run(seed, new Watched(1), new Spectator(watched, new RecordingTap()));
            Seen actual = run(seed, new Watched(SegmentRun.MOST_PACKETS), new Spectator(watched, new RecordingTap()));
            assertAlike(seed, expected, actual);
            assertThat(actual.trace).isNotEmpty();
        }
    }

    private static void assertAlike(int seed, Seen expected, Seen actual) {
        assertThat(actual.completions).as("seed=%d", seed).isEqualTo(expected.completions);
        assertThat(actual.memory).as("seed=%d", seed).isEqualTo(expected.memory);
        assertThat(actual.isEachPacketCounted).as("seed=%d", seed).isTrue();
        for (int device = 0; device < expected.packets.size(); device++) {
            assertAlike(seed, expected.allSucceeded(), expected.packets.get(device), actual.packets.get(device));
        }
        for (String kind : List.of(
                "send",
                "receive",
                "memory   gathered",
                "memory   placed",
                "memory   fetched",
                "memory   returned",
                "state",
                "complete",
                "event",
                "start")) {
            assertAlike(
                    seed,
                    expected.allSucceeded(),
                    expected.trace.stream()
                            .filter(line -> line.startsWith(kind))
                            .toList(),
                    actual.trace.stream().filter(line -> line.startsWith(kind)).toList());
        }
    }

    /** How much is under way when a failure shows is nobody's promise. */
    private static void assertAlike(int seed, boolean whole, List<String> expected, List<String> actual) {
        int compared = whole ? Math.max(expected.size(), actual.size()) : Math.min(expected.size(), actual.size());
        for (int i = 0; i < compared; i++) {
            assertThat(i < actual.size() ? actual.get(i) : "nothing")
                    .as("seed=%d line=%d", seed, i)
                    .isEqualTo(i < expected.size() ? expected.get(i) : "nothing");
        }
    }

    /** Watches one of the devices, 0 or 1. */
    private record Spectator(int device, RecordingTap tap) {}

    /** What was seen, but the acknowledgements, and what came of them: how many are merged is nobody's promise. */
    private static Stream<String> timeless(RecordingTap tap) {
        return tap.events().stream()
                .filter(event -> !(event instanceof TraceEvent.Decided))
                .map(event -> event.toString().replaceAll(" msn=\\d+", ""))
                .filter(line -> !line.contains("ACKNOWLEDGE") || !line.contains("(ACK)"));
    }

    private static Seen run(int seed, Watched fabric, @Nullable Spectator spectator) {
        Random random = new Random(seed);
        try (Verbatim rdma = Verbatim.over(fabric)) {
            List<RcPeer> peers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                rdma.tap(spectator != null && spectator.device == i ? spectator.tap : null);
                RcPeer peer = RcPeer.open(rdma.open("device" + i), REGION_BYTES);
                fill(peer.memory().buffer(), random);
                peers.add(peer);
            }
            PathMtu mtu = PathMtu.values()[random.nextInt(PathMtu.values().length)];
            RcConnection.USUAL
                    .withPathMtu(mtu)
                    .withRetries(0, 1, 0, 1)
                    .join(peers.get(0).qp(), peers.get(1).qp());
            List<String> completions = new ArrayList<>();
            int requests = 1 + random.nextInt(5);
            // How far the answer to a READ has come by then would be nobody's promise.
            boolean hurting = random.nextInt(4) == 0;
            if (hurting) {
                RcPeer hurt = peers.get(1);
                fabric.messagesLeft = 1 + random.nextInt(requests);
                fabric.atMessage = hurt.region()::close;
            }
            List<SendWorkRequest> sends = new ArrayList<>();
            for (int id = 0; id < requests; id++) {
                sends.add(draw(random, id, peers.get(0), peers.get(1), hurting ? READ : READ + 1));
            }
            sends.forEach(peers.get(0).qp()::postSend);
            drain(peers, completions);
            List<Long> memory =
                    peers.stream().map(peer -> checksum(peer.memory().buffer())).toList();
            Function<String, String> relative = line -> relative(line, peers);
            return new Seen(
                    fabric.seen.stream()
                            .map(own -> withoutMergedAcks(own).stream()
                                    .map(relative)
                                    .toList())
                            .toList(),
                    completions.stream().map(relative).sorted().toList(),
                    memory,
                    spectator == null
                            ? List.of()
                            : timeless(spectator.tap).map(relative).toList(),
                    countsEachPacket(peers, fabric.seen));
        }
    }

    /** What a device sent, the other was shown; it took it up to where its queue pair failed. */
    private static boolean countsEachPacket(List<RcPeer> peers, List<List<String>> seen) {
        for (int i = 0; i < 2; i++) {
            Map<DeviceCounter, Long> counters = peers.get(i).device().counters();
            Map<DeviceCounter, Long> others = peers.get(1 - i).device().counters();
            long shown = seen.get(i).size();
            boolean failed = peers.get(i).qp().state() == QpState.ERR;
            long received = Objects.requireNonNull(counters.get(DeviceCounter.RCVD_PKTS));
            if (shown != Objects.requireNonNull(others.get(DeviceCounter.SENT_PKTS))
                    || received > shown
                    || (!failed && received < shown)) {
                return false;
            }
        }
        return true;
    }

    /** An acknowledgement that a later one implies may be merged with it. */
    private static List<String> withoutMergedAcks(List<String> packets) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < packets.size(); i++) {
            boolean ack = packets.get(i).contains("(ACK)") && packets.get(i).startsWith("ACKNOWLEDGE");
            if (!ack || i == packets.size() - 1) {
                kept.add(packets.get(i));
            }
        }
        return kept;
    }

    /** Every run has memory of its own at other addresses. */
    private static String relative(String line, List<RcPeer> peers) {
        return ADDRESS.matcher(line).replaceAll(match -> {
            long address = Long.parseLong(match.group(1), 16);
            for (RcPeer peer : peers) {
                if (peer.memory().covers(address, 0)) {
                    return peer.device().name() + "+" + (address - peer.address(0));
                }
            }
            return "elsewhere";
        });
    }

    /** No word is there twice. */
    private static void fill(ByteBuffer memory, Random random) {
        long word = random.nextLong();
        for (int i = 0; i + Long.BYTES <= memory.capacity(); i += Long.BYTES) {
            memory.putLong(i, word);
            word += GOLDEN_RATIO;
        }
    }

    private static long checksum(ByteBuffer memory) {
        CRC32C checksum = new CRC32C();
        checksum.update(memory.duplicate().clear());
        return checksum.getValue();
    }

    /** One request, for which there is a receive by then. */
    private static SendWorkRequest draw(Random random, int id, RcPeer from, RcPeer to, int kinds) {
        int[] lengths = {0, 1, 257, 4096, 4097, 65_536, 70_001, 300_000, 600_001};
        int length = lengths[random.nextInt(lengths.length)];
        int at = random.nextInt(1 << 20) & -8;
        boolean bad = random.nextInt(8) == 0;
        int kind = random.nextInt(kinds);
        Sge[] elements = elements(random, from, kind == READ ? UPPER_HALF : 0, length, bad);
        int rkey = to.rkey() + (random.nextInt(12) == 0 ? 1 : 0);
        // It may be too short, or not there at all: then those behind it are too few.
        if (random.nextInt(10) != 0) {
            int room = random.nextInt(6) == 0 ? length / 2 : length + random.nextInt(2);
            to.qp().postRecv(ReceiveWorkRequest.of(id, elements(random, to, 0, room, random.nextInt(12) == 0)));
        }
        return switch (kind) {
            case 0 -> SendWorkRequest.send(id, elements);
            case 1 -> SendWorkRequest.sendWithImmediate(id, 7, elements);
            case 2 -> SendWorkRequest.sendWithInvalidate(id, 0x0800_0041, elements);
            case 3 -> SendWorkRequest.writeWithImmediate(id, to.address(at), rkey, 9, elements);
            case 4 -> SendWorkRequest.write(id, to.address(at), rkey, elements);
            default -> SendWorkRequest.read(id, to.address(UPPER_HALF + at), rkey, elements);
        };
    }

    /** One to four elements, of which the last may have a key that names nothing. */
    private static Sge[] elements(Random random, RcPeer peer, int from, int length, boolean bad) {
        int count = 1 + random.nextInt(4);
        Sge[] elements = new Sge[count];
        int left = length;
        for (int i = 0; i < count; i++) {
            int share = i == count - 1 ? left : random.nextInt(left + 1);
            Sge element = peer.sge(from + random.nextInt(1 << 20), share);
            elements[i] = bad && i == count - 1 ? new Sge(element.address(), share, 0x77) : element;
            left -= share;
        }
        return elements;
    }

    /** Until nothing has come for long: what waits for a timer does not count, and need not. */
    private static void drain(List<RcPeer> peers, List<String> completions) {
        int sent = 0;
        int received = 0;
        for (int idle = 0; idle < IDLE_TURNS; idle++) {
            for (RcPeer peer : peers) {
                // Each call has its turn on the lane, and then serves it.
                peer.qp().query();
                for (WorkCompletion completion : peer.sent().poll(16)) {
                    completions.add(peer.device().name() + " sent " + sent++ + " " + completion);
                    idle = 0;
                }
                for (WorkCompletion completion : peer.received().poll(16)) {
                    completions.add(peer.device().name() + " received " + received++ + " " + completion);
                    idle = 0;
                }
            }
        }
    }
}
