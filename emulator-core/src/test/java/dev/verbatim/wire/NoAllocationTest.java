// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbatim.testing.Rule;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Counts the bytes that this thread allocates, which does not depend on how fast the machine is. */
class NoAllocationTest {
    private static final int ROUNDS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    private final ByteBuffer channel = ByteBuffer.allocateDirect(8192);
    private final Packet sent = new Packet();
    private final Packet received = new Packet();
    private final PacketView view = new PacketView();
    private final RoceWriter datagrams = new RoceWriter();
    private final RoceView datagram = new RoceView();
    private final RoceRoute route = new RoceRoute(1, 2, 3, 4);

    @Test
    void writingAndReadingPacketsAllocatesNothing() {
        assertAllocatesNothing(() -> exchange(this::exchangeOne));
    }

    @Test
    @Rule("IC-01")
    void wrappingPacketsIntoDatagramsAndCheckingThemAllocatesNothing() {
        assertAllocatesNothing(() -> exchange(this::exchangeDatagram));
    }

    private void assertAllocatesNothing(Runnable rounds) {
        rounds.run();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        rounds.run();
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(allocated).isLessThan(ROUNDS);
    }

    private void exchange(Runnable exchangeOne) {
        for (int round = 0; round < ROUNDS; round++) {
            sent.begin(Opcode.RDMA_WRITE_ONLY_WITH_IMM)
                    .psn(round)
                    .remoteKey(round)
                    .dmaLengthBytes(1001);
            sent.payload().add(memory, 0, 1000);
            sent.payload().add(memory, 3000, 1);
            exchangeOne.run();
            sent.begin(Opcode.COMPARE_SWAP).psn(round).swapOrAdd(round).compare(round);
            exchangeOne.run();
            sent.begin(Opcode.ATOMIC_ACKNOWLEDGE)
                    .psn(round)
                    .syndrome(Syndrome.ACK_NO_CREDIT)
                    .messageSequence(round);
            exchangeOne.run();
        }
    }

    private void exchangeOne() {
        int length = PacketWriter.write(sent, channel, 8);
        String refusal = view.wrap(channel, 8, length);
        if (refusal != null) {
            throw new AssertionError(refusal);
        }
        view.readInto(received);
        received.payload().copyTo(0, memory, 2000, received.payload().lengthBytes());
    }

    private void exchangeDatagram() {
        int length = datagrams.write(sent, route, channel, 8);
        String refusal = datagram.wrap(channel, 8, length);
        if (refusal != null) {
            throw new AssertionError(refusal);
        }
        datagram.packet().readInto(received);
        received.payload().copyTo(0, memory, 2000, received.payload().lengthBytes());
    }
}
