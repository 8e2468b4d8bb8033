// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;

/** What a queue pair of each type needs on its way to RTS (D.2). */
final class StateMasks {

    private static final int INIT = QpAttributeMask.STATE | QpAttributeMask.PKEY_INDEX | QpAttributeMask.PORT;
    private static final int PATH = QpAttributeMask.STATE
            | QpAttributeMask.AV
            | QpAttributeMask.PATH_MTU
            | QpAttributeMask.DEST_QPN
            | QpAttributeMask.RQ_PSN;
    private static final int RESPONDER = QpAttributeMask.MAX_DEST_RD_ATOMIC | QpAttributeMask.MIN_RNR_TIMER;
    private static final int SEND = QpAttributeMask.STATE | QpAttributeMask.SQ_PSN;
    private static final int REQUESTER = QpAttributeMask.TIMEOUT
            | QpAttributeMask.RETRY_CNT
            | QpAttributeMask.RNR_RETRY
            | QpAttributeMask.MAX_QP_RD_ATOMIC;

    private StateMasks() {}

    static int of(QpType type, QpState to) {
        return switch (to) {
            case INIT -> INIT | (type == QpType.UD ? QpAttributeMask.QKEY : QpAttributeMask.ACCESS_FLAGS);
            case RTR -> receiving(type);
            case RTS -> sending(type);
            default -> QpAttributeMask.STATE;
        };
    }

    private static int receiving(QpType type) {
        return switch (type) {
            case UD -> QpAttributeMask.STATE;
            case UC, XRC_SEND -> PATH;
            default -> PATH | RESPONDER;
        };
    }

    private static int sending(QpType type) {
        return switch (type) {
            case UD, UC -> SEND;
            case XRC_RECV -> SEND | QpAttributeMask.TIMEOUT;
            default -> SEND | REQUESTER;
        };
    }
}
