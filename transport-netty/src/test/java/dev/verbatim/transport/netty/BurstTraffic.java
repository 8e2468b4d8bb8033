// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import com.sun.management.ThreadMXBean;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.testing.Await;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Bursts of packets from one device to another, and the bytes that the threads allocate that carry them. */
public final class BurstTraffic implements AutoCloseable {

    /** The best one counts: what Java makes once, when it links and compiles, comes late. */
    private static final int MOST_ROUNDS = 6;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final AtomicInteger arrived = new AtomicInteger();
    private final int bursts;
    private final int packetsOfABurst;

    /** Until this is closed nothing watches for leaks, since the watch writes down each use of a buffer. */
    public BurstTraffic(int bursts, int packetsOfABurst) {
        this.bursts = bursts;
        this.packetsOfABurst = packetsOfABurst;
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

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

    /** What the receiving device does with its packets: it counts them. */
    public PacketSink sink() {
        return (link, packet) -> arrived.incrementAndGet();
    }

    /** How many packets a round sends. */
    public int packets() {
        return bursts * packetsOfABurst;
    }

    /**
     * Sends rounds of bursts over a link, until one allocates less than {@code enoughBytes}.
     *
     * @param loopThread name of the threads that carry packets
     * @param loops how many of them there are
     * @return the bytes that the sender and these threads allocated in the best round
     */
    public long fewestBytes(FabricPort client, Link link, String loopThread, int loops, long enoughBytes) {
        Burst burst = new Burst(link, packetsOfABurst);
        long[] involved = Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread == Thread.currentThread() || thread.getName().equals(loopThread))
                .mapToLong(Thread::getId)
                .toArray();
        if (involved.length != loops + 1) {
            throw new AssertionError("threads=" + involved.length + " are not " + loops + " loops and the sender");
        }
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && fewest >= enoughBytes; round++) {
            long before = allocatedBy(involved);
            send(client, burst);
            fewest = Math.min(fewest, allocatedBy(involved) - before);
        }
        return fewest;
    }

    private void send(FabricPort client, Burst burst) {
        long deadlineNanos = System.nanoTime() + Await.LIMIT.toNanos();
        int expected = arrived.get();
        for (int sent = 0; sent < bursts; sent++) {
            expected += packetsOfABurst;
            client.lane().ring(burst);
            while (arrived.get() < expected) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AssertionError("arrived=" + arrived + " < " + expected);
                }
                // The loops may have to wait for this core.
                Thread.yield();
            }
        }
    }

    private long allocatedBy(long[] involved) {
        long sum = 0;
        for (long thread : involved) {
            sum += threads.getThreadAllocatedBytes(thread);
        }
        return sum;
    }

    @Override
    public void close() {
        ResourceLeakDetector.setLevel(level);
    }
}
