// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.operation.Effect;
import org.jspecify.annotations.Nullable;

/** What a responder has taken of the message that is coming in, and what is still to come. */
public final class InboundMessage {

    /** What the last packet left unfinished. */
    public enum Kind {
        NONE,
        SEND,
        RDMA_WRITE
    }

    public Kind kind = Kind.NONE;

    /** What the packet that is being taken does to memory; null if it names none. */
    public @Nullable AccessOperation operation;

    /** Where its receive request comes from, if it takes one. */
    public ReceiveSource receives;

    /** The receive request that it takes, if it takes one. */
    public @Nullable ReceiveWqe receive;

    /** Payload that has come. */
    public long receivedBytes;

    /** What its key leads to while one of its packets is taken; null if to nothing. */
    public @Nullable RemoteTarget target;

    // Where the next byte of a WRITE goes, by which key, under which binding of it, and how many there are to come.
    public long address;
    public int key;
    public int binding;
    public long leftBytes;

    /** Nothing is under way. */
    public InboundMessage(ReceiveSource receives) {
        this.receives = receives;
    }

    /** Nothing is under way any more. */
    public void end() {
        kind = Kind.NONE;
        receive = null;
    }

    /** Whether a packet may come next. */
    public boolean isContinuedBy(InboundPacket next) {
        return switch (kind) {
            case NONE -> next.startsMessage;
            case SEND -> next.effect == Effect.RECEIVE && !next.startsMessage;
            case RDMA_WRITE -> next.effect == Effect.WRITE && !next.startsMessage;
        };
    }
}
