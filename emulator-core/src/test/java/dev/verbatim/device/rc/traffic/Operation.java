// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

/**
 * One request of a random program.
 *
 * @param kind what is asked
 * @param place where: an offset in the peer's target, or the number of a word there
 * @param lengthBytes how many bytes; without meaning to atomics
 * @param operand summand, or new value of a swap
 * @param fenced whether it waits for earlier READs and atomics
 * @param signaled whether its success is told
 */
record Operation(Kind kind, int place, int lengthBytes, int operand, boolean fenced, boolean signaled) {

    enum Kind {
        SEND,
        SEND_WITH_IMM,
        WRITE,
        WRITE_WITH_IMM,
        READ,
        /** FETCH_ADD to a word of the stream's own. */
        ADD,
        /** FETCH_ADD to the word that all streams to that side share. */
        ADD_SHARED,
        /** COMPARE_SWAP of a word of the stream's own; every other time it finds what it expects. */
        SWAP,
        /** READ of the word that all streams to that side share. */
        READ_SHARED
    }

    Operation withSignal() {
        return new Operation(kind, place, lengthBytes, operand, fenced, true);
    }

    boolean takesReceive() {
        return kind == Kind.SEND || kind == Kind.SEND_WITH_IMM || kind == Kind.WRITE_WITH_IMM;
    }

    boolean isSend() {
        return kind == Kind.SEND || kind == Kind.SEND_WITH_IMM;
    }

    boolean isWrite() {
        return kind == Kind.WRITE || kind == Kind.WRITE_WITH_IMM;
    }

    boolean isAtomic() {
        return kind == Kind.ADD || kind == Kind.ADD_SHARED || kind == Kind.SWAP;
    }

    boolean isRead() {
        return kind == Kind.READ || kind == Kind.READ_SHARED;
    }

    /** Bytes that land at the requester. */
    int landingBytes() {
        return kind == Kind.READ ? lengthBytes : isAtomic() || kind == Kind.READ_SHARED ? Long.BYTES : 0;
    }
}
