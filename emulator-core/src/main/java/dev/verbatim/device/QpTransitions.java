// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

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
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/** The transition table of D.2, rows of RC: which attributes a change of state needs and which it may bring. */
final class QpTransitions {

    private record Row(QpState from, QpState to, int required, int optional) {}

    private static final List<Row> RC = List.of(
            new Row(QpState.RESET, QpState.INIT, PKEY_INDEX | PORT | ACCESS_FLAGS, 0),
            new Row(QpState.INIT, QpState.INIT, 0, PKEY_INDEX | PORT | ACCESS_FLAGS),
            new Row(
                    QpState.INIT,
                    QpState.RTR,
                    AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
                    ALT_PATH | ACCESS_FLAGS | PKEY_INDEX),
            new Row(
                    QpState.RTR,
                    QpState.RTS,
                    TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
                    CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE),
            new Row(QpState.RTS, QpState.RTS, 0, CUR_STATE | ACCESS_FLAGS | ALT_PATH | PATH_MIG_STATE | MIN_RNR_TIMER),
            new Row(QpState.RTS, QpState.SQD, 0, EN_SQD_ASYNC_NOTIFY),
            new Row(
                    QpState.SQD,
                    QpState.SQD,
                    0,
                    PORT
                            | AV
                            | TIMEOUT
                            | RETRY_CNT
                            | RNR_RETRY
                            | MAX_QP_RD_ATOMIC
                            | MAX_DEST_RD_ATOMIC
                            | ALT_PATH
                            | ACCESS_FLAGS
                            | PKEY_INDEX
                            | MIN_RNR_TIMER
                            | PATH_MIG_STATE),
            new Row(QpState.SQD, QpState.RTS, 0, CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE));

    /** Steps back, or over a state, that a rule names one by one. */
    private static final List<List<QpState>> OUT_OF_TURN = List.of(
            List.of(QpState.RTR, QpState.SQD),
            List.of(QpState.INIT, QpState.RTS),
            List.of(QpState.RESET, QpState.RTR),
            List.of(QpState.RTS, QpState.RTR),
            List.of(QpState.RTS, QpState.INIT));

    private QpTransitions() {}

    /** Refuses what the table does not have. */
    static void check(DeviceProfile profile, QpState from, boolean draining, QpState to, int mask) {
        if (from == QpState.RESET && to == QpState.ERR && profile.resetToErrRefused()) {
            throw VerbsException.of(Errno.EINVAL, "QS-07", "profile %s refuses RESET -> ERR", profile);
        }
        Row row = find(from, to);
        int missing = row.required & ~mask;
        if (missing != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, "QS-02", "%s -> %s needs also %s", from, to, QpAttributeMask.describe(missing));
        }
        int excess = mask & ~(row.required | row.optional | STATE);
        if (excess != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, "QS-03", "%s -> %s does not take %s", from, to, QpAttributeMask.describe(excess));
        }
        if (draining && to != QpState.RESET && to != QpState.ERR) {
            throw VerbsException.of(
                    Errno.EINVAL, "QS-09", "%s -> %s while the send queue is draining; wait for SQ_DRAINED", from, to);
        }
    }

    private static Row find(QpState from, QpState to) {
        if (to == QpState.RESET || to == QpState.ERR) {
            return new Row(from, to, 0, 0);
        }
        for (Row row : RC) {
            if (row.from == from && row.to == to) {
                return row;
            }
        }
        String rule = OUT_OF_TURN.contains(List.of(from, to)) ? "QS-08" : "QS-01";
        throw VerbsException.of(
                Errno.EINVAL,
                to == QpState.SQE ? "QS-06" : rule,
                "%s -> %s is no legal transition of an RC queue pair",
                from,
                to);
    }
}
