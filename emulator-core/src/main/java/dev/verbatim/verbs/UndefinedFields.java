// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Which fields of a completion mean something (WC-01, WC-02), and what the others hold where a profile wants software to be
 * caught that reads them: rubbish that is easy to recognise.
 */
final class UndefinedFields {

    /** In every number that is undefined. */
    static final int RUBBISH = 0xdeadbeef;

    /** No request of this device has it. */
    static final WcOpcode RUBBISH_OPCODE = WcOpcode.TSO;

    private UndefinedFields() {}

    /** A failure has no opcode. */
    static WcOpcode opcode(WcStatus status, WcOpcode opcode) {
        return status == WcStatus.SUCCESS ? opcode : RUBBISH_OPCODE;
    }

    /** What was received, read, or fetched by an atomic has a length. */
    static int byteLength(WcStatus status, WcOpcode opcode, int byteLength) {
        boolean isDefined = status == WcStatus.SUCCESS
                && switch (opcode) {
                    case RECV, RECV_RDMA_WITH_IMM, RDMA_READ, COMP_SWAP, FETCH_ADD -> true;
                    case SEND, RDMA_WRITE, BIND_MW, LOCAL_INV, TSO, FLUSH, ATOMIC_WRITE -> false;
                };
        return isDefined ? byteLength : RUBBISH;
    }

    /** Only flags say whether there is an immediate or a key. */
    static int immediateOrKey(WcStatus status, int flags, int immediateOrKey) {
        boolean isDefined = status == WcStatus.SUCCESS && (flags & (WcFlags.WITH_IMM | WcFlags.WITH_INV)) != 0;
        return isDefined ? immediateOrKey : RUBBISH;
    }

    /** Flags are of receives. */
    static int flags(WcStatus status, WcOpcode opcode, int flags) {
        return status == WcStatus.SUCCESS && opcode.isReceive() ? flags : RUBBISH;
    }

    /** Datagrams name their sender. */
    static int sourceQp(WcStatus status, WcOpcode opcode, int sourceQp) {
        return status == WcStatus.SUCCESS && opcode.isReceive() && sourceQp != 0 ? sourceQp : RUBBISH;
    }
}
