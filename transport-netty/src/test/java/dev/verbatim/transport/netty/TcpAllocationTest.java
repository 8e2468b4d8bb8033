// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Carrying packets makes no objects: less than one byte for each, counted over the sender and both loops. */
@Timeout(240)
class TcpAllocationTest {

    private static final long GENEROUS_NANOS = 100_000_000_000L;
    private static final int BURSTS = 10_000;

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
    @ValueSource(ints = {1, 32})
    void packetAllocatesLessThanOneByte(int packetsOfABurst) {
        try (NettyFabric server = NettyFabric.open();
                Node client = Node.open(2)) {
            server.attach(Gid.ofGuid(1), (link, packet) -> arrived.incrementAndGet());
            client.fabric.dial(server.listen(Node.loopback(0)));
            Burst burst = new Burst(client.linkTo(Gid.ofGuid(1)), packetsOfABurst);
            long[] involved = involvedThreads();
            assertThat(involved).hasSize(3);
            int packets = BURSTS * packetsOfABurst;
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS && fewest >= packets; round++) {
                long before = allocatedBy(involved);
                send(client, burst);
                fewest = Math.min(fewest, allocatedBy(involved) - before);
            }
            assertThat(fewest).as("bytes allocated for %d packets", packets).isLessThan(packets);
        }
    }

    private void send(Node client, Burst burst) {
        long deadlineNanos = System.nanoTime() + GENEROUS_NANOS;
        int expected = arrived.get();
        for (int bursts = 0; bursts < BURSTS; bursts++) {
            expected += burst.packets;
            client.port.lane().ring(burst);
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
                        thread == Thread.currentThread() || thread.getName().equals("verbatim-tcp"))
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
