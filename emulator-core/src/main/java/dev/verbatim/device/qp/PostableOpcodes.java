// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import static dev.verbatim.verbs.WrOpcode.ATOMIC_CMP_AND_SWP;
import static dev.verbatim.verbs.WrOpcode.ATOMIC_FETCH_AND_ADD;
import static dev.verbatim.verbs.WrOpcode.ATOMIC_WRITE;
import static dev.verbatim.verbs.WrOpcode.BIND_MW;
import static dev.verbatim.verbs.WrOpcode.FLUSH;
import static dev.verbatim.verbs.WrOpcode.LOCAL_INV;
import static dev.verbatim.verbs.WrOpcode.RDMA_READ;
import static dev.verbatim.verbs.WrOpcode.RDMA_WRITE;
import static dev.verbatim.verbs.WrOpcode.RDMA_WRITE_WITH_IMM;
import static dev.verbatim.verbs.WrOpcode.SEND;
import static dev.verbatim.verbs.WrOpcode.SEND_WITH_IMM;
import static dev.verbatim.verbs.WrOpcode.SEND_WITH_INV;

import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.Set;

/** The table of E.1: which requests may be posted to which type of queue pair. */
final class PostableOpcodes {

    private static final Set<WrOpcode> RELIABLE = EnumSet.of(
            SEND,
            SEND_WITH_IMM,
            SEND_WITH_INV,
            RDMA_WRITE,
            RDMA_WRITE_WITH_IMM,
            RDMA_READ,
            ATOMIC_CMP_AND_SWP,
            ATOMIC_FETCH_AND_ADD,
            LOCAL_INV,
            BIND_MW,
            FLUSH,
            ATOMIC_WRITE);
    private static final Set<WrOpcode> UNRELIABLE =
            EnumSet.of(SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM, LOCAL_INV, BIND_MW);
    private static final Set<WrOpcode> DATAGRAM = EnumSet.of(SEND, SEND_WITH_IMM);
    private static final Set<WrOpcode> NONE = EnumSet.noneOf(WrOpcode.class);

    private PostableOpcodes() {}

    /** What a queue pair of the type takes; not to be changed. */
    static Set<WrOpcode> of(QpType type) {
        return switch (type) {
            case RC, XRC_SEND -> RELIABLE;
            case UC -> UNRELIABLE;
            case UD -> DATAGRAM;
            case XRC_RECV, RAW_PACKET -> NONE;
        };
    }
}
