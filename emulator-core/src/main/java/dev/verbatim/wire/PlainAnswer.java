// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * An ACK, or the answer to a READ or an atomic, on the fast path: one packet of RC that says yes. It has what differs between such answers,
 * and is used again and again. {@link Packet} is the same answer on the usual path.
 */
public final class PlainAnswer {

    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    /** {@link Opcode#ACKNOWLEDGE}, {@link Opcode#RDMA_READ_RESPONSE_ONLY} or {@link Opcode#ATOMIC_ACKNOWLEDGE}. */
    public Opcode opcode = Opcode.RDMA_READ_RESPONSE_ONLY;

    /** The queue pair that it is for, 24 bits. */
    public int destQp;

    /** 24 bits. */
    public int psn;

    /** 24 bits. */
    public int messageSequence;

    /** Bytes that are returned: 1 to the path MTU; 8 for an atomic, 0 for an ACK. */
    public int lengthBytes;

    /** What the word was before an atomic. */
    public long originalData;

    /** The buffer with the bytes that were read. */
    public ByteBuffer buffer = NO_BUFFER;

    /** Where they begin in {@link #buffer}. */
    public int index;

    /** Refers to no memory from now on. */
    public void clear() {
        buffer = NO_BUFFER;
    }

    @Override
    public String toString() {
        return opcode + " psn=" + psn + " to qp " + destQp + " of " + lengthBytes + " B";
    }
}
