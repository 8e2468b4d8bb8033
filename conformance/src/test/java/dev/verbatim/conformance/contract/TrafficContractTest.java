// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Much traffic of every kind: all of it completes, and every byte is where it belongs. */
@OnEveryFabric
class TrafficContractTest {

    private static final int MIB = 1 << 20;
    private static final int ROUNDS = 8;
    private static final int QUEUE_PAIRS = 16;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    @BeforeEach
    void connect() {
        pair = fabric.open(QpCapabilities.USUAL).connect(RcConnection.USUAL);
    }

    @Test
    @Rule({"WC-02", "ORD-21"})
    void bothSidesAskAtOnceAndAllCompletes() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Side side : List.of(pair.left, pair.right)) {
                fill(side.region, 2 * round + (side == pair.left ? 1 : 2));
                side.bytes().putLong(64_000, round);
                side.qp.postRecv(ReceiveWorkRequest.of(round, side.sge(40_000, 5000)));
            }
            ask(pair.left, pair.right);
            ask(pair.right, pair.left);
            for (Side side : List.of(pair.left, pair.right)) {
                for (int id = 1; id <= 4; id++) {
                    assertThat(side.sent()).isSuccess().hasId(id);
                }
                assertThat(side.received()).isSuccess().hasId(round).hasByteLength(5000);
            }
            assertSame(pair.left, 0, pair.right, 10_000, 5000);
            assertSame(pair.right, 0, pair.left, 10_000, 5000);
            assertSame(pair.left, 20_000, pair.right, 0, 5000);
            assertSame(pair.right, 20_000, pair.left, 0, 5000);
            assertSame(pair.left, 0, pair.right, 40_000, 5000);
            assertSame(pair.right, 0, pair.left, 40_000, 5000);
            assertThat(pair.left.bytes().getLong(60_000)).isEqualTo(round);
            assertThat(pair.right.bytes().getLong(60_000)).isEqualTo(round);
        }
    }

    /** A WRITE, a READ, a SEND and an atomic; the bytes asked for are not those that the peer's requests change. */
    private static void ask(Side from, Side to) {
        from.qp.postSend(List.of(
                SendWorkRequest.write(1, to.address(10_000), to.rkey(), from.sge(0, 5000)),
                SendWorkRequest.read(2, to.address(0), to.rkey(), from.sge(20_000, 5000)),
                SendWorkRequest.send(3, from.sge(0, 5000)),
                SendWorkRequest.fetchAndAdd(4, to.address(64_000), to.rkey(), 1, from.sge(60_000, 8))));
    }

    @Test
    @Rule("WC-02")
    @LongTest
    void messagesOfAMebibyteArriveWhole() {
        MemoryRegion left = pair.left.pd.register(Memory.allocate(3 * MIB), Side.ALL_RIGHTS);
        MemoryRegion right = pair.right.pd.register(Memory.allocate(3 * MIB), Side.ALL_RIGHTS);
        fill(left, 3);
        fill(right, 4);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(100, right.sge(2 * MIB, MIB)));
        pair.left.qp.postSend(SendWorkRequest.write(1, right.address() + MIB, right.rkey(), left.sge(0, MIB)));
        pair.left.qp.postSend(SendWorkRequest.read(2, right.address(), right.rkey(), left.sge(MIB, MIB)));
        pair.left.qp.postSend(SendWorkRequest.send(3, left.sge(0, MIB)));
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.left.sent()).isSuccess().hasId(2).hasByteLength(MIB);
        assertThat(pair.left.sent()).isSuccess().hasId(3);
        assertThat(pair.right.received()).isSuccess().hasByteLength(MIB);
        assertSame(left, 0, right, MIB, MIB);
        assertSame(left, MIB, right, 0, MIB);
        assertSame(left, 0, right, 2 * MIB, MIB);
    }

    @Test
    @Rule({"WC-02", "WR-30"})
    void elementsAreGatheredAndScatteredInTheirOrder() {
        fill(pair.left.region, 5);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(
                100,
                pair.right.sge(5000, 700),
                pair.right.sge(0, 1),
                pair.right.sge(9000, 0),
                pair.right.sge(100, 3000)));
        pair.left.qp.postSend(
                SendWorkRequest.send(1, pair.left.sge(300, 1500), pair.left.sge(0, 1), pair.left.sge(8000, 999)));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasByteLength(2500);
        assertSame(pair.left, 300, pair.right, 5000, 700);
        assertSame(pair.left, 1000, pair.right, 0, 1);
        assertSame(pair.left, 1001, pair.right, 100, 799);
        assertSame(pair.left, 0, pair.right, 899, 1);
        assertSame(pair.left, 8000, pair.right, 900, 999);
    }

    @Test
    @Rule({"WC-02", "WR-23"})
    void immediateDataArrivesAsItWasSent() {
        for (int immediate : new int[] {0, 1, 0x01020304, 0x80000000, -1}) {
            pair.right.qp.postRecv(ReceiveWorkRequest.of(100));
            pair.right.qp.postRecv(ReceiveWorkRequest.of(101));
            pair.left.qp.postSend(SendWorkRequest.sendWithImmediate(1, immediate));
            pair.left.qp.postSend(SendWorkRequest.writeWithImmediate(2, 0, 0, ~immediate));
            WorkCompletion sent = pair.right.received();
            assertThat(sent).isSuccess().hasOpcode(WcOpcode.RECV).hasFlags(WcFlags.WITH_IMM);
            assertThat(sent.immediate()).isEqualTo(immediate);
            WorkCompletion written = pair.right.received();
            assertThat(written).isSuccess().hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM);
            assertThat(written.immediate()).isEqualTo(~immediate);
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule({"CQ-04", "ORD-22", "ORD-37"})
    void manyQueuePairsShareTheirCompletionQueuesAndTakeTurns() {
        List<QueuePair> queuePairs = new ArrayList<>();
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair near = pair.left.newQueuePair();
            RcConnection.connect(near, pair.right.newQueuePair());
            queuePairs.add(near);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (QueuePair each : queuePairs) {
                each.postSend(List.of(
                        SendWorkRequest.write(
                                2 * round, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 3000)),
                        SendWorkRequest.fetchAndAdd(
                                2 * round + 1,
                                pair.right.address(8192),
                                pair.right.rkey(),
                                1,
                                pair.left.sge(4096, 8))));
            }
        }
        long[] next = new long[queuePairs.size()];
        for (int i = 0; i < 2 * ROUNDS * QUEUE_PAIRS; i++) {
            WorkCompletion completion = pair.left.sent();
            assertThat(completion).isSuccess();
            int index = 0;
            while (queuePairs.get(index).number() != completion.qpNumber()) {
                index++;
            }
            assertThat(completion).hasId(next[index]++);
        }
        assertThat(next).containsOnly(2 * ROUNDS);
        assertThat(pair.right.bytes().getLong(8192)).isEqualTo((long) ROUNDS * QUEUE_PAIRS);
    }

    private static void fill(MemoryRegion region, long seed) {
        byte[] bytes = new byte[(int) region.lengthBytes()];
        new SplittableRandom(seed).nextBytes(bytes);
        region.memory().buffer().put(0, bytes);
    }

    private static void assertSame(Side a, int offsetOfA, Side b, int offsetOfB, int count) {
        assertSame(a.region, offsetOfA, b.region, offsetOfB, count);
    }

    private static void assertSame(MemoryRegion a, int offsetOfA, MemoryRegion b, int offsetOfB, int count) {
        assertThat(a.memory().buffer().slice(offsetOfA, count))
                .isEqualTo(b.memory().buffer().slice(offsetOfB, count));
        asserted();
    }
}
