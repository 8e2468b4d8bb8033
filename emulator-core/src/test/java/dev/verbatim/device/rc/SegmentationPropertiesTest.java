// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A message of any length, from any elements to any elements, in packets of any size: exactly its bytes arrive. */
class SegmentationPropertiesTest {

    private static final int LONGEST = 1 << 16;
    private static final int GUARD = 64;
    private static final int MEMORY_BYTES = LONGEST + 2 * GUARD;
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(4, 4, 5, 5, 0);

    /** Never times out: nothing is sent twice, however busy the machine is. */
    private static final RcConnection PATIENT = RcConnection.USUAL.withRetries(0, 7, 7, 12);

    private final Memory left = Memory.allocate(MEMORY_BYTES);
    private final Memory right = Memory.allocate(MEMORY_BYTES);

    @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
    @Rule({"TX-01", "WR-30"})
    void sendScattersExactlyTheBytesThatItGathered(
            @ForAll("lengths") int lengthBytes,
            @ForAll PathMtu mtu,
            @ForAll @Size(4) List<@IntRange(max = LONGEST) Integer> cutsLeft,
            @ForAll @Size(4) List<@IntRange(max = LONGEST) Integer> cutsRight) {
        try (RcPair pair = pair(mtu)) {
            MemoryRegion from = pair.left.pd.register(left, Side.ALL_RIGHTS);
            MemoryRegion to = pair.right.pd.register(right, Side.ALL_RIGHTS);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, elements(to, lengthBytes, cutsRight)));
            pair.left.qp.postSend(SendWorkRequest.send(2, elements(from, lengthBytes, cutsLeft)));
            assertThat(pair.left.sent()).isSuccess().hasId(2);
            assertThat(pair.right.received()).isSuccess().hasId(1).hasByteLength(lengthBytes);
            hasMoved(left, right, lengthBytes);
            assertPackets(pair, "left", mtu, lengthBytes, Opcode.Kind.SEND);
        }
    }

    @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
    @Rule({"TX-01", "WR-31"})
    void writePlacesExactlyTheBytesThatItGathered(
            @ForAll("lengths") int lengthBytes,
            @ForAll PathMtu mtu,
            @ForAll @Size(4) List<@IntRange(max = LONGEST) Integer> cuts) {
        try (RcPair pair = pair(mtu)) {
            MemoryRegion from = pair.left.pd.register(left, Side.ALL_RIGHTS);
            MemoryRegion to = pair.right.pd.register(right, Side.ALL_RIGHTS);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            pair.left.qp.postSend(SendWorkRequest.writeWithImmediate(
                    2, to.address() + GUARD, to.rkey(), 0xcafe, elements(from, lengthBytes, cuts)));
            assertThat(pair.left.sent()).isSuccess().hasId(2);
            assertThat(pair.right.received()).isSuccess().hasId(1).hasByteLength(lengthBytes);
            hasMoved(left, right, lengthBytes);
            List<PacketRecord> packets = assertPackets(pair, "left", mtu, lengthBytes, Opcode.Kind.RDMA_WRITE);
            for (PacketRecord packet : packets) {
                assertThat(packet.opcode().has(Header.RETH))
                        .isEqualTo(packet.opcode().startsMessage());
                assertThat(packet.opcode().hasImmediate())
                        .isEqualTo(packet.opcode().endsMessage());
            }
        }
    }

    @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
    @Rule({"TX-01", "WR-32"})
    void readLandsExactlyTheBytesThatItAskedFor(
            @ForAll("lengths") int lengthBytes,
            @ForAll PathMtu mtu,
            @ForAll @Size(4) List<@IntRange(max = LONGEST) Integer> cuts) {
        try (RcPair pair = pair(mtu)) {
            MemoryRegion to = pair.left.pd.register(left, Side.ALL_RIGHTS);
            MemoryRegion from = pair.right.pd.register(right, Side.ALL_RIGHTS);
            pair.left.qp.postSend(
                    SendWorkRequest.read(2, from.address() + GUARD, from.rkey(), elements(to, lengthBytes, cuts)));
            assertThat(pair.left.sent()).isSuccess().hasId(2).hasByteLength(lengthBytes);
            hasMoved(right, left, lengthBytes);
            assertThat(pair.tap.sentBy("left")).hasSize(1);
            assertPackets(pair, "right", mtu, lengthBytes, Opcode.Kind.READ_RESPONSE);
        }
    }

    private RcPair pair(PathMtu mtu) {
        left.buffer().put(0, Packets.pattern(1, MEMORY_BYTES));
        right.buffer().put(0, Packets.pattern(100_000, MEMORY_BYTES));
        return RcPair.inProcess(CAPABILITIES).connect(PATIENT.withPathMtu(mtu));
    }

    /** The first {@code lengthBytes} bytes behind the guard, cut into five elements at those places. */
    private static Sge[] elements(MemoryRegion region, int lengthBytes, List<Integer> cuts) {
        int[] ends = cuts.stream()
                .mapToInt(cut -> Math.min(cut, lengthBytes))
                .sorted()
                .toArray();
        Sge[] elements = new Sge[ends.length + 1];
        int from = 0;
        for (int i = 0; i <= ends.length; i++) {
            int end = i < ends.length ? ends[i] : lengthBytes;
            elements[i] = region.sge(GUARD + from, end - from);
            from = end;
        }
        return elements;
    }

    private void hasMoved(Memory from, Memory to, int lengthBytes) {
        int fromPattern = from == left ? 1 : 100_000;
        int toPattern = to == left ? 1 : 100_000;
        byte[] expected = Packets.pattern(toPattern, MEMORY_BYTES);
        System.arraycopy(Packets.pattern(fromPattern + GUARD, lengthBytes), 0, expected, GUARD, lengthBytes);
        assertThat(Arrays.equals(bytes(to), expected)).as("what is there now").isTrue();
        assertThat(Arrays.equals(bytes(from), Packets.pattern(fromPattern, MEMORY_BYTES)))
                .as("the source is as it was")
                .isTrue();
    }

    private static byte[] bytes(Memory memory) {
        byte[] bytes = new byte[(int) memory.sizeBytes()];
        memory.buffer().get(0, bytes);
        return bytes;
    }

    /** One packet for each full or begun path MTU, and one for nothing: first, middle, last, or only. */
    private static List<PacketRecord> assertPackets(
            RcPair pair, String sender, PathMtu mtu, int lengthBytes, Opcode.Kind kind) {
        int size = 128 << mtu.ordinal() + 1;
        int count = lengthBytes == 0 ? 1 : (lengthBytes + size - 1) / size;
        List<PacketRecord> packets = new ArrayList<>();
        for (TraceEvent.PacketSent sent : pair.tap.sentBy(sender)) {
            packets.add(sent.packet());
        }
        packets.removeIf(packet -> packet.opcode().kind() != kind);
        assertThat(packets).hasSize(count);
        for (int i = 0; i < count; i++) {
            boolean last = i == count - 1;
            Opcode.Position position = i == 0
                    ? last ? Opcode.Position.ONLY : Opcode.Position.FIRST
                    : last ? Opcode.Position.LAST : Opcode.Position.MIDDLE;
            assertThat(packets.get(i).opcode().position()).isEqualTo(position);
            assertThat(packets.get(i).payload().lengthBytes()).isEqualTo(last ? lengthBytes - i * size : size);
            assertThat(packets.get(i).psn()).isEqualTo((packets.get(0).psn() + i) & 0xffffff);
            if (kind != Opcode.Kind.READ_RESPONSE) {
                assertThat(packets.get(i).bth().ackRequest()).isEqualTo(last || (i + 1) % 64 == 0);
            }
        }
        return packets;
    }

    /** Any length, and more than their share of those at the bounds of packets. */
    @Provide
    Arbitrary<Integer> lengths() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, LONGEST),
                Arbitraries.of(
                        0, 1, 2, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 65535, LONGEST));
    }
}
