// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody tries keys that he was not given, over TCP: each try costs him a connection, and nothing else happens. */
@Timeout(600)
class GuessingOverTcpTest {

    private static final int GUESSES = 200;
    private static final int BYTES = 1 << 12;
    private static final byte UNTOUCHED = 0x5a;
    private static final RcConnection CONNECTION = RcConnection.USUAL.withRetries(18, 7, 7, 12);

    private NettyFabric near;
    private NettyFabric far;
    private Verbatim guessing;
    private Verbatim guessed;
    private Side left;
    private Side right;

    /** Victims: a region, and windows of both types over the same memory. */
    private final Memory memory = Memory.allocate(BYTES);

    @BeforeEach
    void connect() {
        near = NettyFabric.open();
        far = NettyFabric.open();
        guessing = Verbatim.over(near).tap(RuleCoverage::observe);
        guessed = Verbatim.over(far).tap(RuleCoverage::observe);
        left = new Side(guessing.open("left"), QpCapabilities.USUAL);
        right = new Side(guessed.open("right"), QpCapabilities.USUAL);
        near.dial(far.listen(Node.loopback(0)));
        CONNECTION.join(left.qp, right.qp);
        for (int i = 0; i < BYTES; i++) {
            memory.buffer().put(i, UNTOUCHED);
        }
    }

    @AfterEach
    void close() {
        guessing.close();
        guessed.close();
        assertThat(near.directMemoryBytes() + far.directMemoryBytes()).isZero();
    }

    /** Writes one number after the other through the queue pair that was connected first, until told to stop. */
    private void goOnWriting(AtomicLong written, AtomicBoolean stop) {
        while (!stop.get()) {
            long number = written.get() + 1;
            left.bytes().putLong(0, number);
            left.qp.postSend(SendWorkRequest.write(number, right.address(0), right.rkey(), left.sge(0, 8)));
            assertThat(left.sent()).isSuccess().hasId(number);
            written.set(number);
        }
    }

    private static void awaitMore(AtomicLong written, CompletableFuture<Void> traffic) {
        long before = written.get();
        while (written.get() == before) {
            assertThat(traffic).isNotDone();
            Thread.yield();
        }
    }

    private List<Integer> keysOf(MemoryRegion region) {
        BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_WRITE);
        MemoryWindow first = right.pd.allocateWindow(MemoryWindowType.TYPE_1);
        right.qp.bindWindow(first, WindowBind.signaled(1, info));
        assertThat(right.sent()).isSuccess();
        MemoryWindow second = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        SendWorkRequest bind = SendWorkRequest.bindWindow(2, second, 0x41, info);
        right.qp.postSend(bind);
        assertThat(right.sent()).isSuccess();
        return List.of(region.rkey(), first.rkey(), bind.boundKey(), right.rkey());
    }

    /** Near misses of the keys: another variant, another index, and any key at all; never one that is live. */
    private static int guess(int number, List<Integer> live) {
        int key = live.get(number % live.size());
        int distance = number / live.size() + 1;
        int guess = switch (number % 3) {
            case 0 -> key & ~0xff | key + distance & 0xff;
            case 1 -> key + (distance << 8);
            default -> key * 0x343fd + distance;
        };
        return live.contains(guess) ? guess ^ 0x80 : guess;
    }

    @Test
    @Rule({"KEY-04", "KEY-P6", "MW-102", "WC-23", "ORD-21"})
    void twoHundredWrongGuessesCostTwoHundredQueuePairsAndNothingElse() throws Exception {
        MemoryRegion region = right.pd.register(memory, Side.ALL_RIGHTS | AccessFlags.MW_BIND);
        List<Integer> live = keysOf(region);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong written = new AtomicLong();
        CompletableFuture<Void> traffic = CompletableFuture.runAsync(() -> goOnWriting(written, stop));
        try {
            for (int number = 0; number < GUESSES; number++) {
                tryOneKey(number, region.address(), guess(number, live));
                awaitMore(written, traffic);
            }
        } finally {
            stop.set(true);
        }
        traffic.get();
        assertThat(right.bytes().getLong(0)).isEqualTo(written.get());
        assertState(left.qp, QpState.RTS);
        assertState(right.qp, QpState.RTS);
        ByteBuffer bytes = memory.buffer();
        for (int i = 0; i < BYTES; i++) {
            assertThat(bytes.get(i)).isEqualTo(UNTOUCHED);
        }
        assertThat(right.device.pollAsyncEvent()).isNull();
    }

    private void tryOneKey(int number, long address, int key) {
        try (QueuePairWithQueue guesser = QueuePairWithQueue.of(left);
                QueuePairWithQueue owner = QueuePairWithQueue.of(right)) {
            CONNECTION.join(guesser.qp, owner.qp);
            guesser.qp.postSend(SendWorkRequest.write(number, address, key, left.sge(64, 64)));
            assertThat(guesser.cq.awaitCompletion(Await.LIMIT)).hasId(number).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertState(guesser.qp, QpState.ERR);
            assertState(owner.qp, QpState.ERR);
            assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, owner.qp);
        }
    }

    /** A queue pair with a completion queue of its own. */
    private record QueuePairWithQueue(QueuePair qp, CompletionQueue cq) implements AutoCloseable {

        static QueuePairWithQueue of(Side side) {
            CompletionQueue cq = side.device.createCq(16);
            return new QueuePairWithQueue(side.pd.createQp(QpInitAttributes.rc(cq)), cq);
        }

        @Override
        public void close() {
            qp.close();
            cq.close();
        }
    }
}
