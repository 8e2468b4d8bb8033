// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
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

    @Test
    void writingAndReadingPacketsAllocatesNothing() {
        exchange();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        exchange();
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(allocated).isLessThan(ROUNDS);
    }

    private void exchange() {
        for (int round = 0; round < ROUNDS; round++) {
            sent.begin(Opcode.RDMA_WRITE_ONLY_WITH_IMM)
                    .psn(round)
                    .remoteKey(round)
                    .dmaLengthBytes(1001);
            sent.payload().add(memory, 0, 1000);
            sent.payload().add(memory, 3000, 1);
            exchangeOne();
            sent.begin(Opcode.COMPARE_SWAP).psn(round).swapOrAdd(round).compare(round);
            exchangeOne();
            sent.begin(Opcode.ATOMIC_ACKNOWLEDGE)
                    .psn(round)
                    .syndrome(Syndrome.ACK_NO_CREDIT)
                    .messageSequence(round);
            exchangeOne();
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
}
