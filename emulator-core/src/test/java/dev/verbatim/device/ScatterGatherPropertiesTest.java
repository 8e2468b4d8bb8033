// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Messages that are gathered from and scattered to any pieces of memory, however the packets cut them. */
class ScatterGatherPropertiesTest {

    private static final int MOST_ELEMENTS = 6;
    private static final int MOST_BYTES_OF_ELEMENT = 700;
    private static final int GAP_BYTES = 3;
    private static final byte UNTOUCHED = 0x55;

    private static final QpCapabilities CAPABILITIES = new QpCapabilities(16, 16, MOST_ELEMENTS, MOST_ELEMENTS, 0);

    @Provide
    Arbitrary<List<Integer>> lengths() {
        Arbitrary<Integer> length = Arbitraries.oneOf(
                Arbitraries.of(0, 1, 255, 256, 257, 512), Arbitraries.integers().between(0, MOST_BYTES_OF_ELEMENT));
        return length.list().ofMaxSize(MOST_ELEMENTS);
    }

    /** Elements of these lengths with gaps between them, from the beginning of the side's region. */
    private static Sge[] elements(Side side, List<Integer> lengths) {
        Sge[] elements = new Sge[lengths.size()];
        int offset = GAP_BYTES;
        for (int i = 0; i < elements.length; i++) {
            elements[i] = side.sge(offset, lengths.get(i));
            offset += lengths.get(i) + GAP_BYTES;
        }
        return elements;
    }

    private static int sum(List<Integer> lengths) {
        return lengths.stream().mapToInt(Integer::intValue).sum();
    }

    /** What the elements name, one after the other, the first {@code count} bytes of it. */
    private static byte[] content(Side side, Sge[] elements, int count) {
        ByteBuffer content = ByteBuffer.allocate(count);
        for (Sge element : elements) {
            int length = Math.min(element.lengthBytes(), content.remaining());
            content.put(side.bytes().slice((int) (element.address() - side.address(0)), length));
        }
        return content.array();
    }

    /** Of the first bytes of the side's region those that no element has a part of the first {@code count} bytes in. */
    private static void assertRestUntouched(Side side, Sge[] elements, int count) {
        BitSet touched = new BitSet();
        int left = count;
        for (Sge element : elements) {
            int offset = (int) (element.address() - side.address(0));
            int length = Math.min(element.lengthBytes(), left);
            touched.set(offset, offset + length);
            left -= length;
        }
        for (int i = 0; i < MOST_ELEMENTS * (MOST_BYTES_OF_ELEMENT + GAP_BYTES) + GAP_BYTES; i++) {
            if (!touched.get(i)) {
                assertThat(side.bytes().get(i)).as("byte %d", i).isEqualTo(UNTOUCHED);
            }
        }
    }

    private static RcPair pair() {
        RcPair pair = RcPair.inProcess(CAPABILITIES).connect(RcConnection.USUAL.withPathMtu(PathMtu.MTU_256));
        byte[] untouched = new byte[Side.REGION_BYTES];
        Arrays.fill(untouched, UNTOUCHED);
        pair.left.bytes().put(0, untouched);
        pair.right.bytes().put(0, untouched);
        return pair;
    }

    private static void fillWithPattern(Side side) {
        side.bytes().put(0, Packets.pattern(0, Side.REGION_BYTES));
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    @Rule("WR-30")
    void sendArrivesInTheElementsOfItsReceiveInOrder(
            @ForAll("lengths") List<Integer> from, @ForAll("lengths") List<Integer> room) {
        int count = sum(from);
        if (count > sum(room)) {
            return;
        }
        try (RcPair pair = pair()) {
            fillWithPattern(pair.left);
            Sge[] source = elements(pair.left, from);
            Sge[] target = elements(pair.right, room);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1, target));
            pair.left.qp.postSend(SendWorkRequest.send(2, source));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.right.received()).isSuccess().hasByteLength(count);
            assertThat(content(pair.right, target, count)).isEqualTo(content(pair.left, source, count));
            assertRestUntouched(pair.right, target, count);
        }
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void writeArrivesInOnePiece(@ForAll("lengths") List<Integer> from, @ForAll @IntRange(max = 9) int offset) {
        int count = sum(from);
        try (RcPair pair = pair()) {
            fillWithPattern(pair.left);
            Sge[] source = elements(pair.left, from);
            Sge[] target = {pair.right.sge(offset, count)};
            pair.left.qp.postSend(SendWorkRequest.write(1, pair.right.address(offset), pair.right.rkey(), source));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(content(pair.right, target, count)).isEqualTo(content(pair.left, source, count));
            assertRestUntouched(pair.right, target, count);
        }
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    @Rule("WR-32")
    void readFillsItsElementsInOrder(@ForAll("lengths") List<Integer> into, @ForAll @IntRange(max = 9) int offset) {
        int count = sum(into);
        try (RcPair pair = pair()) {
            fillWithPattern(pair.right);
            Sge[] target = elements(pair.left, into);
            pair.left.qp.postSend(SendWorkRequest.read(1, pair.right.address(offset), pair.right.rkey(), target));
            assertThat(pair.left.sent()).isSuccess().hasByteLength(count);
            assertThat(content(pair.left, target, count)).isEqualTo(Packets.pattern(offset, count));
            assertRestUntouched(pair.left, target, count);
        }
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    @Rule("WR-36")
    void resultOfAtomicMayBeSplit(@ForAll @IntRange(min = 1, max = 7) int cut, @ForAll long before, @ForAll long add) {
        try (RcPair pair = pair()) {
            pair.right.bytes().putLong(8, before);
            Sge[] target = elements(pair.left, List.of(cut, 8 - cut));
            pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(1, pair.right.address(8), pair.right.rkey(), add, target));
            assertThat(pair.left.sent()).isSuccess().hasByteLength(8);
            assertThat(ByteBuffer.wrap(content(pair.left, target, 8))
                            .order(ByteOrder.nativeOrder())
                            .getLong())
                    .isEqualTo(before);
            assertThat(pair.right.bytes().getLong(8)).isEqualTo(before + add);
            assertRestUntouched(pair.left, target, 8);
        }
    }
}
