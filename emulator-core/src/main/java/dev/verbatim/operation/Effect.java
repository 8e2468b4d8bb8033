// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.operation;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * What is done where a request executes, and what follows from that for both ends. Several rows of {@link Operation} may have the same
 * effect.
 */
public enum Effect {
    /** A receive request of the peer takes the bytes. */
    RECEIVE(0, Data.SENT, Opcode.Kind.ACKNOWLEDGE, Rule.DUP_01),
    /** The bytes are placed where the request says. */
    WRITE(AccessFlags.REMOTE_WRITE, Data.SENT, Opcode.Kind.ACKNOWLEDGE, Rule.DUP_01),
    /** The bytes of the peer are the answer. */
    READ(AccessFlags.REMOTE_READ, Data.RETURNED, Opcode.Kind.READ_RESPONSE, Rule.DUP_02),
    /** A word of the peer changes in one step, and what it was is the answer: see {@link Atomic}. */
    ATOMIC(AccessFlags.REMOTE_ATOMIC, Data.RETURNED, Opcode.Kind.ATOMIC_ACKNOWLEDGE, Rule.DUP_03),
    /** A word of the peer is written in one step (NW-01). */
    ATOMIC_WRITE(AccessFlags.REMOTE_WRITE, Data.SENT, Opcode.Kind.READ_RESPONSE, Rule.DUP_04),
    /** What was placed before becomes visible or durable (NW-02). It takes those of its rights that its placement type names. */
    FLUSH(AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT, Data.NONE, Opcode.Kind.READ_RESPONSE, Rule.DUP_04),
    /** A window is bound, here. */
    BIND(0, Data.NONE, null, null),
    /** A key is invalidated, here. */
    INVALIDATE(0, Data.NONE, null, null),
    /** Nothing: the device has no such request. Its elements are looked at where a device takes it, to fail it later (WR-01). */
    NOTHING(0, Data.SENT, null, null);

    /** What the elements of a request are for. */
    public enum Data {
        /** Nothing: they and INLINE mean nothing to it (WR-39, NW-02). */
        NONE,
        /** They have what is sent. */
        SENT,
        /** What the response brings is placed there. */
        RETURNED
    }

    /** The {@link AccessFlags} that it takes, of the queue pair of the peer and of the key; 0 for none. */
    public final int right;

    public final Data data;

    /** What the peer answers with; null for what has no packets. */
    public final Opcode.@Nullable Kind answer;

    /** The rule by which a responder answers a repeated request (DUP-01 to DUP-04); null for what has no packets. */
    public final @Nullable Rule repeated;

    /**
     * Whether it is completed by its response and not by an acknowledgement (ACK-02): it counts as an outstanding READ or atomic, and takes
     * one of the responder's resources.
     */
    public final boolean isAnswered;

    /** Whether it is done here, without packets (MW-63, ORD-20). */
    public final boolean isLocal;

    /** Whether elements and INLINE mean nothing to it. */
    public final boolean hasNoData;

    /** Whether its response brings bytes for its elements. */
    public final boolean returnsData;

    Effect(int right, Data data, Opcode.@Nullable Kind answer, @Nullable Rule repeated) {
        this.right = right;
        this.data = data;
        this.answer = answer;
        this.repeated = repeated;
        this.isAnswered = answer != null && answer != Opcode.Kind.ACKNOWLEDGE;
        this.isLocal = answer == null && data == Data.NONE;
        this.hasNoData = data == Data.NONE;
        this.returnsData = data == Data.RETURNED;
    }
}
