// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.ReceiveSource;
import dev.verbatim.device.ReceiveWqe;
import dev.verbatim.wire.Opcode;
import org.jspecify.annotations.Nullable;

/** What a responder has taken of the message that is coming in, and what is still to come. */
final class MessageUnderWay {

    /** What the last packet left unfinished. */
    enum Kind {
        NONE,
        SEND,
        RDMA_WRITE
    }

    Kind kind = Kind.NONE;

    /** Where its receive request comes from, if it takes one. */
    ReceiveSource receives;

    /** The receive request that it takes, if it takes one. */
    @Nullable
    ReceiveWqe receive;

    /** Payload that has come. */
    long receivedBytes;

    // Where the next byte of a WRITE goes, by which key, under which binding of it, and how many there are to come.
    long address;
    int key;
    int binding;
    long leftBytes;

    MessageUnderWay(ReceiveSource receives) {
        this.receives = receives;
    }

    void end() {
        kind = Kind.NONE;
        receive = null;
    }

    /** Whether a packet may come next. */
    boolean isContinuedBy(Opcode opcode) {
        return switch (kind) {
            case NONE -> opcode.startsMessage();
            case SEND -> opcode.kind() == Opcode.Kind.SEND && !opcode.startsMessage();
            case RDMA_WRITE -> opcode.kind() == Opcode.Kind.RDMA_WRITE && !opcode.startsMessage();
        };
    }
}
