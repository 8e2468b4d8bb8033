// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;

/**
 * A request of one packet with nothing special about it, on the fast path: a WRITE, SEND, READ or atomic of RC from one element, without
 * immediate data, invalidation, fence or solicited event. It has what differs between such requests, and is used again and again.
 * {@link Packet} is the same request on the usual path.
 */
public final class PlainRequest {

    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    /** {@link Opcode#RDMA_WRITE_ONLY}, {@link Opcode#SEND_ONLY}, {@link Opcode#RDMA_READ_REQUEST}, {@link Opcode#FETCH_ADD} or {@link Opcode#COMPARE_SWAP}. */
    public Opcode opcode = Opcode.RDMA_WRITE_ONLY;

    /** The queue pair that it is for, 24 bits. */
    public int destQp;

    /** 24 bits. */
    public int psn;

    /** Where it touches the memory of the responder; 0 for a SEND. */
    public long remoteAddress;

    /** The key for that; 0 for a SEND. */
    public int remoteKey;

    /** Bytes of the message: 1 to the path MTU; 8 for an atomic. */
    public int lengthBytes;

    /** What a fetch-and-add adds, or what a compare-and-swap stores. */
    public long swapOrAdd;

    /** What a compare-and-swap compares. */
    public long compare;

    /** The buffer with the bytes to send, or, once a READ is {@linkplain #isAnswered answered}, with those that were read. */
    public ByteBuffer buffer = NO_BUFFER;

    /** Where they begin in {@link #buffer}. */
    public int index;

    /** Whether the responder has executed it and its answer is here. */
    public boolean isAnswered;

    /** What the word was before an atomic, once that is answered. */
    public long originalData;

    /** Refers to no memory from now on. */
    public void clear() {
        buffer = NO_BUFFER;
        isAnswered = false;
    }

    @Override
    public String toString() {
        return opcode + " psn=" + psn + " to qp " + destQp + " of " + lengthBytes + " B";
    }
}
