// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever somebody has posted, and whatever a peer has asked for, waits in registered memory until the peer reads. */
@Timeout(600)
class SlowReaderTest {

    private static final int QUEUE_PAIRS = 16;
    private static final int WRITES_OF_EACH = 128;
    private static final int READS_OF_EACH = 16;
    private static final int MESSAGE_BYTES = 32 * 1024;
    private static final int TURNS = 200;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Far below the 64 MiB that are posted, and the 32 MiB of them that may be unacknowledged. */
    private static final long BOUND_BYTES = 6L << 20;

    /** Waits for ever, so that the test is not against time. */
    private static final RcConnection PATIENT =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_4096).withRetries(0, 7, 7, 12);

    /** One side: a device whose queue pairs all use the same memory. */
    private static final class End {

        private final CompletionQueue done;
        private final ProtectionDomain pd;
        private final MemoryRegion region;
        private final List<QueuePair> queuePairs = new ArrayList<>();

        End(Device device) {
            done = device.createCq(QUEUE_PAIRS * WRITES_OF_EACH);
            pd = device.allocatePd();
            region = pd.register(
                    Memory.allocate(MESSAGE_BYTES),
                    AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                queuePairs.add(
                        pd.createQp(QpInitAttributes.rc(done, done, new QpCapabilities(WRITES_OF_EACH, 1, 1, 1, 0))));
            }
        }

        MemoryRegion more() {
            return pd.register(Memory.allocate(MESSAGE_BYTES), AccessFlags.LOCAL_WRITE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    @LongTest
    void whatASlowReaderDoesNotTakeIsNotStored(SocketTransport transport) throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        NettyFabric nearFabric = NettyFabric.open(NettyOptions.defaults().withTransport(transport));
        NettyFabric farFabric = NettyFabric.open();
        try (Verbatim left = Verbatim.over(nearFabric);
                Verbatim right = Verbatim.over(farFabric)) {
            End near = new End(left.open("near"));
            End far = new End(right.open("far"));
            byte[] bytes = new byte[MESSAGE_BYTES];
            new Random(1).nextBytes(bytes);
            near.region.memory().buffer().put(bytes);
            MemoryRegion readInto = far.more();
            try (Relay relay = Relay.to(farFabric.listen(Node.loopback(0)))) {
                nearFabric.dial(relay.address());
                for (int i = 0; i < QUEUE_PAIRS; i++) {
                    PATIENT.join(near.queuePairs.get(i), far.queuePairs.get(i));
                }
                relay.letPass(0);
                long before = usedBytes(nearFabric);
                for (int write = 0; write < WRITES_OF_EACH; write++) {
                    for (QueuePair qp : near.queuePairs) {
                        qp.postSend(SendWorkRequest.write(
                                write, far.region.address(), far.region.rkey(), near.region.sge()));
                    }
                }
                askForMuch(far, near, readInto);
                // Each is a turn of the lane, which sends all that it can.
                for (int turn = 0; turn < TURNS; turn++) {
                    near.queuePairs.get(0).query();
                }
                assertThat(usedBytes(nearFabric) - before).isLessThan(BOUND_BYTES);
                relay.letAllPass();
                for (int i = 0; i < QUEUE_PAIRS * WRITES_OF_EACH; i++) {
                    assertThat(near.done.awaitCompletion(Await.LIMIT)).isSuccess();
                }
                for (int i = 0; i < QUEUE_PAIRS * (READS_OF_EACH + 1); i++) {
                    assertThat(far.done.awaitCompletion(Await.LIMIT)).isSuccess();
                }
            }
            assertThat(far.region.memory().buffer())
                    .isEqualTo(near.region.memory().buffer());
            assertThat(readInto.memory().buffer())
                    .isEqualTo(near.region.memory().buffer());
        }
        assertThat(nearFabric.directMemoryBytes() + farFabric.directMemoryBytes())
                .isZero();
    }

    /** Reads, and writes a word behind the READs, and waits until all words are there. */
    private static void askForMuch(End far, End near, MemoryRegion readInto) {
        Memory words = Memory.allocate(QUEUE_PAIRS * Long.BYTES);
        MemoryRegion flags = near.pd.register(words, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        readInto.memory().buffer().putLong(0, 1);
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair qp = far.queuePairs.get(i);
            for (int read = 0; read < READS_OF_EACH; read++) {
                qp.postSend(SendWorkRequest.read(read, near.region.address(), near.region.rkey(), readInto.sge()));
            }
            long word = flags.address() + (long) i * Long.BYTES;
            qp.postSend(SendWorkRequest.write(READS_OF_EACH, word, flags.rkey(), readInto.sge(0, Long.BYTES)));
        }
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            int at = i * Long.BYTES;
            Await.until("the word of queue pair " + i, () -> (long) LONGS.getVolatile(words.buffer(), at) != 0);
        }
    }

    /** Heap, direct memory of the fabric, and what Java itself keeps to write from. */
    private static long usedBytes(NettyFabric fabric) {
        System.gc();
        long pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + pools + fabric.directMemoryBytes();
    }
}
