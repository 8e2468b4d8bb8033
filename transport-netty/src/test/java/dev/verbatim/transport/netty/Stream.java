// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.testing.Await;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A queue pair that only sends: packets with the PSNs of a range, each payload filled with the low byte of its PSN. */
final class Stream implements PacketSource {

    private final @Nullable Link link;
    private final int queuePair;
    private final int payloadBytes;
    private final int endPsn;
    private final ByteBuffer memory;
    private final CountDownLatch drained = new CountDownLatch(1);
    private int psn;

    Stream(@Nullable Link link, int queuePair, int firstPsn, int count, int payloadBytes) {
        this.link = link;
        this.queuePair = queuePair;
        this.payloadBytes = payloadBytes;
        this.psn = firstPsn;
        this.endPsn = firstPsn + count;
        this.memory = ByteBuffer.allocateDirect(payloadBytes);
    }

    @Override
    public boolean pull(Packet packet) {
        if (psn == endPsn) {
            drained.countDown();
            return false;
        }
        for (int i = 0; i < payloadBytes; i++) {
            memory.put(i, (byte) psn);
        }
        packet.begin(Opcode.SEND_ONLY).destQp(queuePair).psn(psn).payload().add(memory, 0, payloadBytes);
        psn++;
        return true;
    }

    @Override
    public @Nullable Link link() {
        return link;
    }

    /** Waits until all packets have been pulled. */
    void awaitDrained() throws InterruptedException {
        Await.until("psn=" + endPsn + " to be pulled", () -> drained.getCount() == 0, () -> "psn=" + psn);
    }
}
