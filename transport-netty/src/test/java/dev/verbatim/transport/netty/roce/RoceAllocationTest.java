// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Carrying packets makes no objects over sockets of the JDK; Netty makes some for each datagram over epoll. */
@Timeout(240)
class RoceAllocationTest {

    private static final long GENEROUS_NANOS = 100_000_000_000L;
    private static final int BURSTS = 1_000;

    /** The best one counts: what Java makes once, when it links and compiles, comes late. */
    private static final int MOST_ROUNDS = 6;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final AtomicInteger arrived = new AtomicInteger();

    /** Tells the link of so many packets each time it is rung. */
    private static final class Burst extends Doorbell implements PacketSource {

        private final Link link;
        private final int packets;
        private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
        private int left;

        Burst(Link link, int packets) {
            this.link = link;
            this.packets = packets;
        }

        @Override
        protected void answer() {
            left = packets;
            link.ready(this);
        }

        @Override
        public boolean pull(Packet packet) {
            if (left == 0) {
                return false;
            }
            left--;
            packet.begin(Opcode.SEND_ONLY).payload().add(memory, 0, memory.capacity());
            return true;
        }

        @Override
        public Link link() {
            return link;
        }
    }

    /** The watch writes down each use of a buffer. */
    @BeforeEach
    void stopWatchingForLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void watchForLeaks() {
        ResourceLeakDetector.setLevel(level);
    }

    @ParameterizedTest
    @CsvSource({"NIO, 1, 1", "NIO, 32, 1", "EPOLL, 32, 256"})
    void packetAllocatesNoMoreThan(SocketTransport transport, int packetsOfABurst, int bytes) {
        InetAddress one = LoopbackAddress.of(81);
        InetAddress other = LoopbackAddress.of(82);
        try (RoceFabric fabric = RoceFabric.open(
                RoceOptions.at(one, other).withTransport(transport).withPeers(RoceOptions.Peers.VERBATIM))) {
            fabric.attach(Gid.of(one), (link, packet) -> arrived.incrementAndGet());
            FabricPort client = fabric.attach(Gid.of(other), (link, packet) -> {});
            AtomicReference<Link> link = new AtomicReference<>();
            client.lane().call(() -> link.set(client.linkTo(Gid.of(one))));
            Burst burst = new Burst(link.get(), packetsOfABurst);
            long[] involved = involvedThreads();
            assertThat(involved).hasSize(2);
            int packets = BURSTS * packetsOfABurst;
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS && fewest >= (long) packets * bytes; round++) {
                long before = allocatedBy(involved);
                send(client, burst);
                fewest = Math.min(fewest, allocatedBy(involved) - before);
            }
            System.out.printf("%s: %.2f bytes allocated for each packet%n", transport, (double) fewest / packets);
            assertThat(fewest).as("bytes allocated for %d packets", packets).isLessThan((long) packets * bytes);
        }
    }

    private void send(FabricPort client, Burst burst) {
        long deadlineNanos = System.nanoTime() + GENEROUS_NANOS;
        int expected = arrived.get();
        for (int bursts = 0; bursts < BURSTS; bursts++) {
            expected += burst.packets;
            client.lane().ring(burst);
            while (arrived.get() < expected) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AssertionError("arrived=" + arrived + " < " + expected);
                }
            }
        }
    }

    private static long[] involvedThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread == Thread.currentThread() || thread.getName().equals("verbatim-roce"))
                .mapToLong(Thread::getId)
                .toArray();
    }

    private long allocatedBy(long[] involved) {
        long sum = 0;
        for (long thread : involved) {
            sum += threads.getThreadAllocatedBytes(thread);
        }
        return sum;
    }
}
