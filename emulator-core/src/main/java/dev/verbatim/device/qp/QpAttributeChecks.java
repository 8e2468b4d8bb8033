// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values that a modify may bring (QV-01 to QV-11). */
public final class QpAttributeChecks {

    private static final int LARGEST_RETRY = 7;
    private static final int LARGEST_TIMER_CODE = 31;
    private static final int LARGEST_FLOW_LABEL = 0xf_ffff;
    private static final int LARGEST_BYTE = 255;
    private static final int LARGEST_SERVICE_LEVEL = 15;
    private static final int UNSUPPORTED =
            QpAttributeMask.ALT_PATH | QpAttributeMask.PATH_MIG_STATE | QpAttributeMask.CAP;
    private static final int OF_REQUESTER = QpAttributeMask.TIMEOUT
            | QpAttributeMask.RETRY_CNT
            | QpAttributeMask.RNR_RETRY
            | QpAttributeMask.MAX_QP_RD_ATOMIC;
    private static final int OF_RESPONDER = QpAttributeMask.MIN_RNR_TIMER
            | QpAttributeMask.MAX_DEST_RD_ATOMIC
            | QpAttributeMask.DEST_QPN
            | QpAttributeMask.PATH_MTU;
    private static final Set<QpState> ASSERTABLE = EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

    private QpAttributeChecks() {}

    static void check(DeviceProfile profile, int activeMtuBytes, QpState actual, QpAttributes values, int mask) {
        DeviceLimits limits = profile.limits();
        if ((mask & UNSUPPORTED) != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QS_10, "%s is not supported", QpAttributeMask.describe(mask & UNSUPPORTED));
        }
        if ((mask & QpAttributeMask.CUR_STATE) != 0) {
            checkCurrentState(actual, values.currentState());
        }
        if ((mask & OF_REQUESTER) != 0) {
            checkRequester(limits, values, mask);
        }
        if ((mask & OF_RESPONDER) != 0) {
            checkResponder(limits, activeMtuBytes, values, mask);
        }
        atMost(
                mask,
                QpAttributeMask.PKEY_INDEX,
                Rule.QV_07,
                "pkey_index",
                values.pkeyIndex(),
                DeviceLimits.MAX_PKEYS - 1);
        if ((mask & QpAttributeMask.QKEY) != 0) {
            checkQueueKey(profile, values.queueKey());
        }
        if ((mask & QpAttributeMask.PORT) != 0) {
            checkPort(limits, values.portNumber());
        }
        if ((mask & QpAttributeMask.AV) != 0) {
            checkAddressVector(limits, values.addressVector());
        }
    }

    private static void checkRequester(DeviceLimits limits, QpAttributes values, int mask) {
        atMost(mask, QpAttributeMask.TIMEOUT, Rule.QV_01, "timeout", values.timeout(), LARGEST_TIMER_CODE);
        atMost(mask, QpAttributeMask.RETRY_CNT, Rule.QV_02, "retry_cnt", values.retryCount(), LARGEST_RETRY);
        atMost(mask, QpAttributeMask.RNR_RETRY, Rule.QV_02, "rnr_retry", values.rnrRetry(), LARGEST_RETRY);
        atMost(
                mask,
                QpAttributeMask.MAX_QP_RD_ATOMIC,
                Rule.QV_04,
                "max_rd_atomic",
                values.maxRdAtomic(),
                limits.maxQpInitRdAtom());
    }

    private static void checkResponder(DeviceLimits limits, int activeMtuBytes, QpAttributes values, int mask) {
        atMost(
                mask,
                QpAttributeMask.MIN_RNR_TIMER,
                Rule.QV_02,
                "min_rnr_timer",
                values.minRnrTimer(),
                LARGEST_TIMER_CODE);
        atMost(
                mask,
                QpAttributeMask.MAX_DEST_RD_ATOMIC,
                Rule.QV_04,
                "max_dest_rd_atomic",
                values.maxDestRdAtomic(),
                limits.maxQpRdAtom());
        atMost(mask, QpAttributeMask.DEST_QPN, Rule.QV_09, "dest_qp_num", values.destinationQp(), 0xff_ffff);
        atMost(
                mask,
                QpAttributeMask.PATH_MTU,
                Rule.QV_03,
                "path_mtu bytes",
                values.pathMtu().bytes(),
                activeMtuBytes);
    }

    private static void checkCurrentState(QpState actual, QpState asserted) {
        if (!ASSERTABLE.contains(asserted) || asserted != actual) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QS_05, "cur_qp_state=%s but the queue pair is in %s", asserted, actual);
        }
    }

    private static void atMost(int mask, int attribute, Rule rule, String name, int value, int most) {
        if ((mask & attribute) != 0 && (value < 0 || value > most)) {
            throw VerbsException.of(Errno.EINVAL, rule, "%s=%d is not in 0..%d", name, value, most);
        }
    }

    private static void checkQueueKey(DeviceProfile profile, int queueKey) {
        if (queueKey < 0 && !profile.privilegedQkeys()) {
            throw VerbsException.of(
                    Errno.EPERM, Rule.QV_11, "qkey=0x%08x is privileged; choose one below 0x80000000", queueKey);
        }
    }

    private static void checkPort(DeviceLimits limits, int portNumber) {
        if (portNumber < 1 || portNumber > limits.physicalPorts()) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QV_06, "port_num=%d is not in 1..%d", portNumber, limits.physicalPorts());
        }
    }

    public static void checkAddressVector(DeviceLimits limits, @Nullable AddressVector vector) {
        if (vector == null) {
            throw VerbsException.of(Errno.EINVAL, Rule.QS_02, "the address vector is missing");
        }
        if (!vector.global()) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QV_10, "the port requires a GRH: the address vector must be global");
        }
        checkPort(limits, vector.portNumber());
        if (vector.sourceGidIndex() != 0) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QV_10,
                    "sgid_index=%d but the port has one GID, index 0",
                    vector.sourceGidIndex());
        }
        atMost("flow_label", vector.flowLabel(), LARGEST_FLOW_LABEL);
        atMost("hop_limit", vector.hopLimit(), LARGEST_BYTE);
        atMost("traffic_class", vector.trafficClass(), LARGEST_BYTE);
        atMost("sl", vector.serviceLevel(), LARGEST_SERVICE_LEVEL);
    }

    private static void atMost(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.of(Errno.EINVAL, Rule.QV_10, "%s=%d is not in 0..%d", name, value, most);
        }
    }
}
