// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread keeps a region busy while another deregisters it. Whatever the interleaving, nobody looks at the memory or
 * changes it once deregistration has returned.
 */
class DeregistrationRaceTest {

    private static final int ROUNDS = 15;
    private static final int SUCCESSES_BEFORE = 10;
    private static final int BYTES = Side.REGION_BYTES;
    private static final byte TRAFFIC = 0x11;
    private static final byte SENTINEL = 0x5a;

    /** What the region is used for when it is deregistered. */
    private enum Use {
        TARGET_OF_WRITE(WcStatus.REM_ACCESS_ERR),
        TARGET_OF_ATOMIC(WcStatus.REM_ACCESS_ERR),
        SOURCE_OF_READ(WcStatus.REM_ACCESS_ERR),
        RESULT_OF_READ(WcStatus.LOC_PROT_ERR),
        SOURCE_OF_WRITE(WcStatus.LOC_PROT_ERR);

        final WcStatus end;

        Use(WcStatus end) {
            this.end = end;
        }

        boolean isOfPeer() {
            return end == WcStatus.REM_ACCESS_ERR;
        }

        boolean isRead() {
            return this == SOURCE_OF_READ || this == SOURCE_OF_WRITE;
        }

        SendWorkRequest request(RcPair pair, MemoryRegion region) {
            MemoryRegion left = pair.left.region;
            MemoryRegion right = pair.right.region;
            return switch (this) {
                case TARGET_OF_WRITE -> SendWorkRequest.write(1, region.address(), region.rkey(), left.sge());
                case TARGET_OF_ATOMIC ->
                    SendWorkRequest.fetchAndAdd(1, region.address(), region.rkey(), 1, left.sge(0, 8));
                case SOURCE_OF_READ -> SendWorkRequest.read(1, region.address(), region.rkey(), left.sge());
                case RESULT_OF_READ -> SendWorkRequest.read(1, right.address(), right.rkey(), region.sge());
                case SOURCE_OF_WRITE -> SendWorkRequest.write(1, right.address(), right.rkey(), region.sge());
            };
        }
    }

    /** Posts the same request, two at a time, until one fails. */
    private static final class Traffic extends Thread {

        private final Side side;
        private final SendWorkRequest request;
        private final CountDownLatch flowing = new CountDownLatch(SUCCESSES_BEFORE);
        private volatile WcStatus end = WcStatus.SUCCESS;

        Traffic(Side side, SendWorkRequest request) {
            super("traffic");
            setDaemon(true);
            this.side = side;
            this.request = request;
        }

        @Override
        public void run() {
            while (end == WcStatus.SUCCESS) {
                side.qp.postSend(List.of(request, request));
                WcStatus first = side.sent().status();
                WcStatus second = side.sent().status();
                end = first == WcStatus.SUCCESS ? second : first;
                flowing.countDown();
            }
        }
    }

    private static RcPair pair(boolean traced) {
        RcConnection connection = RcConnection.USUAL.withPathMtu(PathMtu.MTU_4096);
        if (traced) {
            return RcPair.inProcess(QpCapabilities.USUAL).connect(connection);
        }
        Verbatim rdma = Verbatim.inProcess();
        return new RcPair(
                        new Side(rdma.open("left"), QpCapabilities.USUAL),
                        new Side(rdma.open("right"), QpCapabilities.USUAL),
                        new RecordingTap(),
                        rdma::close)
                .connect(connection);
    }

    private static byte[] repeated(byte value) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, value);
        return bytes;
    }

    private static void assertOnly(byte value, Memory memory) {
        byte[] bytes = new byte[BYTES];
        memory.buffer().get(0, bytes);
        assertThat(Arrays.mismatch(bytes, repeated(value)))
                .as("first byte that is not 0x%x", value)
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(600)
    @Rule({"MR-54", "N-01", "T-19", "MR-53", "KEY-P2"})
    void nobodyTouchesMemoryOnceItsDeregistrationHasReturned(Use use) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            try (RcPair pair = pair(round == 0)) {
                deregisterDuringTraffic(pair, use);
            }
        }
    }

    private static void deregisterDuringTraffic(RcPair pair, Use use) throws InterruptedException {
        pair.left.bytes().put(0, repeated(TRAFFIC));
        pair.right.bytes().put(0, repeated(TRAFFIC));
        Memory memory = Memory.allocate(BYTES);
        memory.buffer().put(0, repeated(TRAFFIC));
        MemoryRegion region = (use.isOfPeer() ? pair.right : pair.left).pd.register(memory, Side.ALL_RIGHTS);

        Traffic traffic = new Traffic(pair.left, use.request(pair, region));
        traffic.start();
        traffic.flowing.await();
        region.close();
        memory.buffer().put(0, repeated(SENTINEL));
        traffic.join();

        assertThat(traffic.end).isEqualTo(use.end);
        assertState(pair.left.qp, QpState.ERR);
        assertState(pair.right.qp, use.isOfPeer() ? QpState.ERR : QpState.RTS);
        assertOnly(SENTINEL, memory);
        if (use.isRead()) {
            assertOnly(TRAFFIC, (use.isOfPeer() ? pair.left : pair.right).region.memory());
        }
    }
}
