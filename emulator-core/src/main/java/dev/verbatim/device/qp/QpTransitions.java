// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import static dev.verbatim.verbs.QpAttributeMask.ACCESS_FLAGS;
import static dev.verbatim.verbs.QpAttributeMask.ALT_PATH;
import static dev.verbatim.verbs.QpAttributeMask.AV;
import static dev.verbatim.verbs.QpAttributeMask.CUR_STATE;
import static dev.verbatim.verbs.QpAttributeMask.DEST_QPN;
import static dev.verbatim.verbs.QpAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static dev.verbatim.verbs.QpAttributeMask.MAX_DEST_RD_ATOMIC;
import static dev.verbatim.verbs.QpAttributeMask.MAX_QP_RD_ATOMIC;
import static dev.verbatim.verbs.QpAttributeMask.MIN_RNR_TIMER;
import static dev.verbatim.verbs.QpAttributeMask.PATH_MIG_STATE;
import static dev.verbatim.verbs.QpAttributeMask.PATH_MTU;
import static dev.verbatim.verbs.QpAttributeMask.PKEY_INDEX;
import static dev.verbatim.verbs.QpAttributeMask.PORT;
import static dev.verbatim.verbs.QpAttributeMask.QKEY;
import static dev.verbatim.verbs.QpAttributeMask.RETRY_CNT;
import static dev.verbatim.verbs.QpAttributeMask.RNR_RETRY;
import static dev.verbatim.verbs.QpAttributeMask.RQ_PSN;
import static dev.verbatim.verbs.QpAttributeMask.SQ_PSN;
import static dev.verbatim.verbs.QpAttributeMask.STATE;
import static dev.verbatim.verbs.QpAttributeMask.TIMEOUT;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The transition table of D.2: which attributes a change of state needs and which it may bring, for each type of queue pair. */
final class QpTransitions {

    /** A change from one state to another, the same for some types; {@code required} and {@code optional} leave STATE out. */
    private record Row(QpState from, QpState to, Set<QpType> types, int required, int optional) {}

    private static final Set<QpType> UC = EnumSet.of(QpType.UC);
    private static final Set<QpType> UD = EnumSet.of(QpType.UD);
    private static final Set<QpType> RC = EnumSet.of(QpType.RC);
    private static final Set<QpType> XRC_SEND = EnumSet.of(QpType.XRC_SEND);
    private static final Set<QpType> XRC_RECV = EnumSet.of(QpType.XRC_RECV);
    private static final Set<QpType> UC_XRC_SEND = EnumSet.of(QpType.UC, QpType.XRC_SEND);
    private static final Set<QpType> RC_XRC_RECV = EnumSet.of(QpType.RC, QpType.XRC_RECV);
    private static final Set<QpType> CONNECTED = EnumSet.of(QpType.RC, QpType.UC, QpType.XRC_SEND, QpType.XRC_RECV);
    private static final Set<QpType> ALL =
            EnumSet.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.XRC_RECV);

    private static final int PATH = ALT_PATH | PATH_MIG_STATE;
    private static final int REQUESTER = TIMEOUT | RETRY_CNT | RNR_RETRY | MAX_QP_RD_ATOMIC;
    private static final int PEER = AV | PATH_MTU | DEST_QPN | RQ_PSN;

    private static final List<Row> TABLE = List.of(
            new Row(QpState.RESET, QpState.INIT, UD, PKEY_INDEX | PORT | QKEY, 0),
            new Row(QpState.RESET, QpState.INIT, CONNECTED, PKEY_INDEX | PORT | ACCESS_FLAGS, 0),
            new Row(QpState.INIT, QpState.INIT, UD, 0, PKEY_INDEX | PORT | QKEY),
            new Row(QpState.INIT, QpState.INIT, CONNECTED, 0, PKEY_INDEX | PORT | ACCESS_FLAGS),
            new Row(QpState.INIT, QpState.RTR, UD, 0, PKEY_INDEX | QKEY),
            new Row(QpState.INIT, QpState.RTR, UC_XRC_SEND, PEER, ALT_PATH | ACCESS_FLAGS | PKEY_INDEX),
            new Row(
                    QpState.INIT,
                    QpState.RTR,
                    RC_XRC_RECV,
                    PEER | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
                    ALT_PATH | ACCESS_FLAGS | PKEY_INDEX),
            new Row(QpState.RTR, QpState.RTS, UD, SQ_PSN, CUR_STATE | QKEY),
            new Row(QpState.RTR, QpState.RTS, UC, SQ_PSN, CUR_STATE | ACCESS_FLAGS | PATH),
            new Row(QpState.RTR, QpState.RTS, RC, REQUESTER | SQ_PSN, CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER | PATH),
            new Row(QpState.RTR, QpState.RTS, XRC_SEND, REQUESTER | SQ_PSN, CUR_STATE | ACCESS_FLAGS | PATH),
            new Row(
                    QpState.RTR,
                    QpState.RTS,
                    XRC_RECV,
                    TIMEOUT | SQ_PSN,
                    CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER | PATH),
            new Row(QpState.RTS, QpState.RTS, UD, 0, CUR_STATE | QKEY),
            new Row(QpState.RTS, QpState.RTS, UC_XRC_SEND, 0, CUR_STATE | ACCESS_FLAGS | PATH),
            new Row(QpState.RTS, QpState.RTS, RC_XRC_RECV, 0, CUR_STATE | ACCESS_FLAGS | PATH | MIN_RNR_TIMER),
            new Row(QpState.RTS, QpState.SQD, ALL, 0, EN_SQD_ASYNC_NOTIFY),
            new Row(QpState.SQD, QpState.SQD, UD, 0, PKEY_INDEX | QKEY),
            new Row(QpState.SQD, QpState.SQD, UC, 0, AV | ACCESS_FLAGS | PKEY_INDEX | PATH),
            new Row(
                    QpState.SQD,
                    QpState.SQD,
                    RC,
                    0,
                    PORT | AV | REQUESTER | MAX_DEST_RD_ATOMIC | ACCESS_FLAGS | PKEY_INDEX | MIN_RNR_TIMER | PATH),
            new Row(QpState.SQD, QpState.SQD, XRC_SEND, 0, PORT | AV | REQUESTER | ACCESS_FLAGS | PKEY_INDEX | PATH),
            new Row(
                    QpState.SQD,
                    QpState.SQD,
                    XRC_RECV,
                    0,
                    PORT | AV | TIMEOUT | MAX_DEST_RD_ATOMIC | ACCESS_FLAGS | PKEY_INDEX | MIN_RNR_TIMER | PATH),
            new Row(QpState.SQD, QpState.RTS, UD, 0, CUR_STATE | QKEY),
            new Row(QpState.SQD, QpState.RTS, UC_XRC_SEND, 0, CUR_STATE | ACCESS_FLAGS | PATH),
            new Row(QpState.SQD, QpState.RTS, RC_XRC_RECV, 0, CUR_STATE | ACCESS_FLAGS | PATH | MIN_RNR_TIMER),
            new Row(QpState.SQE, QpState.RTS, UD, 0, CUR_STATE | QKEY),
            new Row(QpState.SQE, QpState.RTS, UC, 0, CUR_STATE | ACCESS_FLAGS));

    /** Steps back, or over a state, that a rule names one by one. */
    private static final List<List<QpState>> OUT_OF_TURN = List.of(
            List.of(QpState.RTR, QpState.SQD),
            List.of(QpState.INIT, QpState.RTS),
            List.of(QpState.RESET, QpState.RTR),
            List.of(QpState.RTS, QpState.RTR),
            List.of(QpState.RTS, QpState.INIT));

    private QpTransitions() {}

    /** Refuses what the table does not have. */
    static void check(DeviceProfile profile, QpType type, QpState from, boolean draining, QpState to, int mask) {
        if (from == QpState.RESET && to == QpState.ERR && profile.resetToErrRefused()) {
            throw VerbsException.of(Errno.EINVAL, Rule.QS_07, "profile %s refuses RESET -> ERR", profile);
        }
        Row row = find(type, from, to);
        int missing = row.required & ~mask;
        if (missing != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QS_02, "%s -> %s needs also %s", from, to, QpAttributeMask.describe(missing));
        }
        int excess = mask & ~(row.required | row.optional | STATE);
        if (excess != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QS_03, "%s -> %s does not take %s", from, to, QpAttributeMask.describe(excess));
        }
        if (draining && to != QpState.RESET && to != QpState.ERR) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QS_09,
                    "%s -> %s while the send queue is draining; wait for SQ_DRAINED",
                    from,
                    to);
        }
    }

    private static Row find(QpType type, QpState from, QpState to) {
        if (to == QpState.RESET || to == QpState.ERR) {
            return new Row(from, to, ALL, 0, 0);
        }
        for (Row row : TABLE) {
            if (row.from == from && row.to == to && row.types.contains(type)) {
                return row;
            }
        }
        Rule rule = OUT_OF_TURN.contains(List.of(from, to)) ? Rule.QS_08 : Rule.QS_01;
        throw VerbsException.of(
                Errno.EINVAL,
                to == QpState.SQE || from == QpState.SQE ? Rule.QS_06 : rule,
                "%s -> %s is no legal transition of a queue pair of type %s",
                from,
                to,
                type);
    }
}
