// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Transport;

/** Which packet opcode a request has at each place of its message. */
public final class SendOpcodes {

    private SendOpcodes() {}

    /** The opcode of one of its packets, or of several that cross as one. */
    public static Opcode of(Transport transport, WrOpcode opcode, boolean first, boolean last) {
        Opcode reliable = ofReliable(opcode, first, last);
        return transport == Transport.RC ? reliable : reliable.over(transport);
    }

    private static Opcode ofReliable(WrOpcode opcode, boolean first, boolean last) {
        return switch (opcode) {
            case SEND -> pick(first, last, Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.SEND_ONLY);
            case SEND_WITH_IMM ->
                pick(
                        first,
                        last,
                        Opcode.SEND_FIRST,
                        Opcode.SEND_MIDDLE,
                        Opcode.SEND_LAST_WITH_IMM,
                        Opcode.SEND_ONLY_WITH_IMM);
            case SEND_WITH_INV ->
                pick(
                        first,
                        last,
                        Opcode.SEND_FIRST,
                        Opcode.SEND_MIDDLE,
                        Opcode.SEND_LAST_WITH_INVALIDATE,
                        Opcode.SEND_ONLY_WITH_INVALIDATE);
            case RDMA_WRITE ->
                pick(
                        first,
                        last,
                        Opcode.RDMA_WRITE_FIRST,
                        Opcode.RDMA_WRITE_MIDDLE,
                        Opcode.RDMA_WRITE_LAST,
                        Opcode.RDMA_WRITE_ONLY);
            case RDMA_WRITE_WITH_IMM ->
                pick(
                        first,
                        last,
                        Opcode.RDMA_WRITE_FIRST,
                        Opcode.RDMA_WRITE_MIDDLE,
                        Opcode.RDMA_WRITE_LAST_WITH_IMM,
                        Opcode.RDMA_WRITE_ONLY_WITH_IMM);
            case RDMA_READ -> Opcode.RDMA_READ_REQUEST;
            case ATOMIC_CMP_AND_SWP -> Opcode.COMPARE_SWAP;
            case ATOMIC_FETCH_AND_ADD -> Opcode.FETCH_ADD;
            case FLUSH -> Opcode.FLUSH;
            case ATOMIC_WRITE -> Opcode.ATOMIC_WRITE;
            default -> throw new IllegalArgumentException(opcode + " does not go on the wire");
        };
    }

    /** The opcode of a READ response at its place. */
    public static Opcode readResponse(Transport transport, boolean first, boolean last) {
        return pick(
                        first,
                        last,
                        Opcode.RDMA_READ_RESPONSE_FIRST,
                        Opcode.RDMA_READ_RESPONSE_MIDDLE,
                        Opcode.RDMA_READ_RESPONSE_LAST,
                        Opcode.RDMA_READ_RESPONSE_ONLY)
                .over(transport);
    }

    private static Opcode pick(boolean isFirst, boolean isLast, Opcode first, Opcode middle, Opcode last, Opcode only) {
        if (isFirst) {
            return isLast ? only : first;
        }
        return isLast ? last : middle;
    }
}
