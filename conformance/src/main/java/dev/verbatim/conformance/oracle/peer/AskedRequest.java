// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.peer;

import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** A request of the own device, as a peer gets to know it. */
final class AskedRequest {

    private static final int SMALLEST_MTU_BYTES = 256;
    private static final int ATOMIC_BYTES = 8;

    /** Its place among the requests of its queue pair that have packets, from 0. */
    final int number;

    final SendWorkRequest posted;

    /** Unbounded; as on the wire in its low 24 bits. */
    final long firstPsn;

    final int packets;
    final long startedAt;
    final long lengthBytes;
    private final int packetBytes;

    /** What was sent of each packet; a repeated one may have other bytes. */
    final byte[] @Nullable [] sent;

    /** What came back for each packet of a READ. */
    final byte[] @Nullable [] returned;

    /** Whether a packet was sent again with other bytes. */
    boolean isAmbiguous;

    /** The original value in the response of an atomic. */
    @Nullable
    Long original;

    /** Which of the messages that take a receive it is; -1 if none. */
    int message = -1;

    AskedRequest(int number, SendWorkRequest posted, long firstPsn, int packets, long startedAt) {
        this.number = number;
        this.posted = posted;
        this.firstPsn = firstPsn;
        this.packets = packets;
        this.startedAt = startedAt;
        this.lengthBytes = isAtomic() ? ATOMIC_BYTES : posted.lengthBytes();
        int mtu = SMALLEST_MTU_BYTES;
        while ((lengthBytes + mtu - 1) / mtu > packets && mtu < 1 << 30) {
            mtu *= 2;
        }
        this.packetBytes = mtu;
        this.sent = new byte[packets][];
        this.returned = new byte[packets][];
    }

    boolean isRead() {
        return posted.opcode() == WrOpcode.RDMA_READ;
    }

    boolean isAtomic() {
        return posted.opcode() == WrOpcode.ATOMIC_CMP_AND_SWP || posted.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    boolean isWrite() {
        return switch (posted.opcode()) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE -> true;
            case SEND, SEND_WITH_IMM, SEND_WITH_INV -> false;
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, FLUSH -> false;
            case BIND_MW, LOCAL_INV, TSO, DRIVER1 -> false;
        };
    }

    boolean isSend() {
        return switch (posted.opcode()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV -> true;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE -> false;
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, FLUSH -> false;
            case BIND_MW, LOCAL_INV, TSO, DRIVER1 -> false;
        };
    }

    boolean takesReceive() {
        return isSend() || posted.opcode() == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Whether it names a key of the peer that must be right. */
    boolean needsKey() {
        return lengthBytes > 0 && (isRead() || isWrite() || isAtomic());
    }

    long lastPsn() {
        return firstPsn + packets - 1;
    }

    /** The number from which on the peer counts it as a message: a READ when it is accepted (ACK-05). */
    long countedPsn() {
        return isRead() ? firstPsn : lastPsn();
    }

    long offsetOf(int packet) {
        return (long) packet * packetBytes;
    }

    int bytesOf(int packet) {
        return (int) Math.max(0, Math.min(packetBytes, lengthBytes - offsetOf(packet)));
    }

    /** Whether a READ response of nothing answers it. */
    boolean isAnsweredEmpty() {
        return posted.opcode() == WrOpcode.FLUSH || posted.opcode() == WrOpcode.ATOMIC_WRITE;
    }

    @Override
    public String toString() {
        return posted.opcode() + " wr_id=" + posted.id();
    }
}
